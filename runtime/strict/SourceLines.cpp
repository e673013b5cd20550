// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/strict/SourceLines.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace sendwright::strict {

namespace {

std::string executablePath() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, length) : std::string();
}

std::string absolutePath(const char *name) {
  char path[PATH_MAX];
  return realpath(name, path) ? path : name;
}

/// The environment without variables that would load the runtime and MPI into the child.
std::vector<char *> childEnvironment() {
  std::vector<char *> variables;
  for (char **variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0)
      variables.push_back(*variable);
  variables.push_back(nullptr);
  return variables;
}

/// The output of the program; empty if it cannot be run.
std::string outputOf(const char *program, const std::string &module, const std::string &offset) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return "";
  const char *arguments[] = {program, "-e", module.c_str(), offset.c_str(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int error = posix_spawnp(&child, program, &actions, nullptr, const_cast<char **>(arguments),
                                 childEnvironment().data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char part[512];
  for (ssize_t length = 0; (length = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, length);
  close(ends[0]);
  if (error == 0)
    waitpid(child, nullptr, 0);
  return text;
}

/// "file.c:12" for addr2line's "/path/file.c:12 (discriminator 3)"; empty for "??".
std::string shortLine(std::string text) {
  text.resize(std::min(text.size(), text.find_first_of("\n ")));
  const std::size_t colon = text.rfind(':');
  if (text.empty() || text[0] == '?' || colon == std::string::npos || colon + 1 == text.size() ||
      text[colon + 1] == '?' || text[colon + 1] == '0')
    return "";
  return text.substr(text.rfind('/') + 1);
}

} // namespace

std::string moduleAndOffset(const void *returnAddress) {
  if (!returnAddress)
    return "";
  // The call precedes the address to which it returns.
  const char *address = static_cast<const char *>(returnAddress) - 1;
  Dl_info info;
  link_map *module = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void **>(&module), RTLD_DL_LINKMAP) || !module)
    return formatted("?\n%p", static_cast<const void *>(address));
  // The executable's own name may be relative to a folder that the program has since left.
  return (module->l_name[0] ? absolutePath(module->l_name) : executablePath()) +
         formatted("\n0x%zx",
                   std::size_t(address - reinterpret_cast<const char *>(module->l_addr)));
}

std::string SourceLines::of(const std::string &address) {
  const auto [place, isNew] = known.try_emplace(address);
  if (!isNew)
    return place->second;
  const std::size_t end = address.find('\n');
  if (end == std::string::npos)
    return place->second = printable(address);
  const std::string module = address.substr(0, end), offset = address.substr(end + 1);
  for (const char *program : {"addr2line", "llvm-addr2line", "eu-addr2line"})
    if (std::string line = shortLine(outputOf(program, module, offset)); !line.empty())
      return place->second = printable(line);
  return place->second = printable(module.substr(module.rfind('/') + 1) + "+" + offset);
}

} // namespace sendwright::strict
