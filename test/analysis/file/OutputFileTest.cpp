// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that appear whole or not at all, and sections that claim a wrong size.

#include "analysis/file/OutputFile.h"
#include "analysis/file/Container.h"
#include "analysis/file/FormatError.h"
#include "analysis/file/MatrixFile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

using namespace sendwright;

TEST(OutputFile, AppearsWholeOrNotAtAll) {
  const std::filesystem::path folder =
      testing::TempDir() + "sendwright-output-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string name = (folder / "x").string();
  writeWholeFile(name, "old");
  {
    OutputFile output(name);
    output.write("half");
    EXPECT_EQ(readTextFile(name), "old");
  }
  EXPECT_EQ(readTextFile(name), "old");
  std::filesystem::create_symlink("x", folder / "link");
  writeWholeFile((folder / "link").string(), "new");
  EXPECT_EQ(readTextFile(name), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  writeWholeFile("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THROW(OutputFile{folder.string()}, FormatError);
  EXPECT_THROW(OutputFile{(folder / "no" / "x").string()}, FormatError);
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(folder))
    ++entries;
  EXPECT_EQ(entries, 2u) << "temporary files are gone";
  std::filesystem::remove_all(folder);
}

TEST(Container, ClaimedSizesCostNothing) {
  // A section that claims to be large, and a section that is large: zeros compress a thousandfold.
  std::string packed = packSection("x");
  packed[3] = 0x7f;
  EXPECT_THROW(unpackSection(packed, "f: damaged"), FormatError);
  const std::string zeros(5 << 20, '\0');
  packed = packSection(zeros);
  EXPECT_EQ(unpackSection(packed, "f"), zeros);
  packed[0] = 1; // claims one byte more than it holds
  EXPECT_THROW(unpackSection(packed, "f: damaged"), FormatError);
}
