// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/Scratch.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace sendwright::fuzz {

namespace {

[[noreturn]] void end(const std::string &problem) {
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}

/// Removed when the process ends normally; the script that runs fuzzers removes leftovers.
class Folder {
public:
  Folder() {
    const char *given = std::getenv("SENDWRIGHT_FUZZ_SCRATCH");
    std::error_code error;
    path = given ? given : std::filesystem::is_directory("/dev/shm", error) ? "/dev/shm" : "/tmp";
    path += "/sendwright-fuzz-XXXXXX";
    if (!mkdtemp(path.data()))
      end(path + ": cannot be made");
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path, error);
  }

  std::string path;
};

} // namespace

std::string scratchFile(const std::string &name) {
  static const Folder folder;
  return folder.path + "/" + name;
}

std::string writeScratch(const std::string &name, std::string_view bytes) {
  const std::string path = scratchFile(name);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    end(path + ": cannot be written");
  return path;
}

std::string readScratch(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file)
    end(path + ": cannot be read");
  return bytes.str();
}

} // namespace sendwright::fuzz
