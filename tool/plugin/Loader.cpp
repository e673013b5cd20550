// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sendwright.so, as users name it. A plugin that was built for another major version of Clang
// either does not load, because a symbol is missing, or loads and misreads the compiler's
// structures. So this loader is loaded first: it uses only one of Clang's functions, the one that
// returns the version, looked up by name. It loads the plugin for that version from the version's
// own folder, or ends the compilation with one line.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

[[noreturn]] void giveUp(const std::string &why) {
  std::fprintf(stderr, "error: sendwright.so %s\n", why.c_str());
  std::fflush(stderr);
  _exit(1);
}

/// The major number in "... clang version 19.1.7 ..."; 0 where there is none.
int majorOf(const std::string &version) {
  const std::string words = "clang version ";
  const std::size_t found = version.find(words);
  return found == std::string::npos ? 0 : std::atoi(version.c_str() + found + words.size());
}

std::string ownFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &info) || !info.dli_fname)
    return ".";
  const std::string file = info.dli_fname;
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}

/// The versions for which there is a plugin in `folder`, in words: "16, 19".
std::string versionsIn(const std::string &folder) {
  std::vector<int> versions;
  if (DIR *entries = opendir(folder.c_str())) {
    while (const dirent *entry = readdir(entries)) {
      int version = 0, end = 0;
      if (std::sscanf(entry->d_name, "sendwright-clang-%d.so%n", &version, &end) == 1 && end > 0 &&
          !entry->d_name[end])
        versions.push_back(version);
    }
    closedir(entries);
  }
  std::sort(versions.begin(), versions.end());
  std::string words;
  for (const int version : versions)
    words += (words.empty() ? "" : ", ") + std::to_string(version);
  return words;
}

__attribute__((constructor)) void loadPlugin() {
  using VersionFunction = std::string (*)();
  const auto version = reinterpret_cast<VersionFunction>(
      dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev"));
  const std::string host = version ? version() : "a compiler that is not Clang";
  const std::string folder = ownFolder();
  const std::string plugin = folder + "/sendwright-clang-" + std::to_string(majorOf(host)) + ".so";
  if (access(plugin.c_str(), F_OK) != 0)
    giveUp("was built for clang " + versionsIn(folder) + " and cannot be loaded into " + host);
  if (!dlopen(plugin.c_str(), RTLD_LAZY | RTLD_LOCAL))
    giveUp(std::string("cannot load the plugin: ") + dlerror());
}

} // namespace
