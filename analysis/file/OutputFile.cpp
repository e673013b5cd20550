// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/file/OutputFile.h"

#include "analysis/file/FormatError.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sendwright {

namespace {

std::string folderOf(const std::string &path) {
  std::size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Calls `attempt` with names beside `target` until one is free; empty if another error occurred.
template <typename Attempt> std::string freeName(const std::string &target, Attempt attempt) {
  for (int number = 0; number < 1000; ++number) {
    std::string candidate =
        target + ".part-" + std::to_string(getpid()) + "-" + std::to_string(number);
    if (attempt(candidate.c_str()))
      return candidate;
    if (errno != EEXIST)
      break;
  }
  return {};
}

} // namespace

OutputFile::OutputFile(const std::string &name) : name(name), target(name) {
  if (name == "-") {
    rename = false;
  } else {
    struct stat status;
    if (stat(name.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        fail();
      }
      rename = S_ISREG(status.st_mode);
    }
    if (char *resolved = rename ? realpath(name.c_str(), nullptr) : nullptr) {
      target = resolved;
      std::free(resolved);
    }
  }
  open();
}

void OutputFile::open() {
  if (!rename) {
    file = std::tmpfile();
  } else {
    int descriptor = ::open(folderOf(target).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor < 0)
      temporary = freeName(target, [&](const char *candidate) {
        descriptor = ::open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        return descriptor >= 0;
      });
    file = descriptor >= 0 ? fdopen(descriptor, "w+b") : nullptr;
    if (descriptor >= 0 && !file)
      close(descriptor);
  }
  if (!file)
    fail();
}

OutputFile::~OutputFile() {
  if (file)
    std::fclose(file);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

void OutputFile::fail() const {
  throw FormatError((name == "-" ? std::string("<stdout>") : name) +
                    ": cannot be written: " + std::strerror(errno) + ", expected a writable file");
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size())
    fail();
}

void OutputFile::rewriteStart(std::string_view bytes) {
  if (std::fseek(file, 0, SEEK_SET) != 0)
    fail();
  write(bytes);
  if (std::fseek(file, 0, SEEK_END) != 0)
    fail();
}

void OutputFile::nameTemporary() {
  std::string descriptor = "/proc/self/fd/" + std::to_string(fileno(file));
  temporary = freeName(target, [&](const char *candidate) {
    return linkat(AT_FDCWD, descriptor.c_str(), AT_FDCWD, candidate, AT_SYMLINK_FOLLOW) == 0;
  });
  if (temporary.empty())
    fail();
}

void OutputFile::copyToTarget() {
  if (std::fseek(file, 0, SEEK_SET) != 0)
    fail();
  std::FILE *opened = name == "-" ? nullptr : std::fopen(name.c_str(), "wb");
  if (!opened && name != "-")
    fail();
  std::FILE *output = opened ? opened : stdout;
  char block[1 << 16];
  bool good = true;
  for (std::size_t size; good && (size = std::fread(block, 1, sizeof block, file)) > 0;)
    good = std::fwrite(block, 1, size, output) == size;
  good = std::fflush(output) == 0 && good && !std::ferror(file);
  if (opened)
    good = std::fclose(opened) == 0 && good;
  if (!good)
    fail();
}

void OutputFile::commit() {
  if (std::fflush(file) != 0)
    fail();
  if (!rename) {
    copyToTarget();
  } else {
    // Durable before it is visible. A file system without fsync (EINVAL) has nothing to make
    // durable.
    if (fsync(fileno(file)) != 0 && errno != EINVAL)
      fail();
    if (temporary.empty())
      nameTemporary();
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      fail();
    temporary.clear();
  }
  std::fclose(file);
  file = nullptr;
}

void writeWholeFile(const std::string &name, std::string_view bytes) {
  OutputFile output(name);
  output.write(bytes);
  output.commit();
}

} // namespace sendwright
