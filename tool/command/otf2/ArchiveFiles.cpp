// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/ArchiveFiles.h"

#include "analysis/file/FormatError.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace sendwright {

namespace fs = std::filesystem;

ArchiveFiles::ArchiveFiles(const std::string &anchor)
    : anchor(anchor), stem(fs::path(anchor).stem().string()),
      target(fs::path(anchor).parent_path()) {
  if (fs::path(anchor).extension() != ".otf2" || stem.empty())
    throw FormatError(anchor + ": not the name of an OTF2 archive, expected NAME.otf2");
  checkTarget();
  std::string pattern = (target / ("." + stem + ".XXXXXX")).string();
  if (!mkdtemp(pattern.data()))
    fail(std::strerror(errno));
  temporary = pattern;
}

ArchiveFiles::~ArchiveFiles() {
  std::error_code ignored;
  if (!temporary.empty())
    fs::remove_all(temporary, ignored);
}

void ArchiveFiles::fail(const std::string &reason) const {
  throw FormatError(anchor + ": cannot be written: " + reason + ", expected a writable file");
}

/// Only the folder of an archive is replaced: one that has an anchor and holds nothing else.
void ArchiveFiles::checkTarget() const {
  std::error_code ignored;
  const fs::path files = target / stem;
  if (fs::exists(anchor, ignored) && !fs::is_regular_file(anchor, ignored))
    fail("not a file");
  if (!fs::exists(fs::symlink_status(files, ignored)))
    return;
  const std::string place = files.string();
  if (!fs::is_directory(fs::symlink_status(files, ignored)) || !fs::exists(anchor, ignored))
    fail(place + " exists and is not part of an archive");
  for (const fs::directory_entry &entry : fs::directory_iterator(files, ignored))
    if (entry.path().extension() != ".evt" && entry.path().extension() != ".def")
      fail(place + " has other files than an archive's");
}

void ArchiveFiles::commit() {
  try {
    const fs::path made = temporary;
    const fs::path files = target / stem, definitions = target / (stem + ".def");
    if (fs::exists(files))
      fs::rename(files, made / "replaced");
    fs::rename(made / stem, files);
    fs::rename(made / (stem + ".def"), definitions);
    fs::rename(made / (stem + ".otf2"), anchor);
  } catch (const fs::filesystem_error &error) {
    fail(error.code().message());
  }
}

} // namespace sendwright
