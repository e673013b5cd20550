// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/otf2/Otf2Library.h"

#include "analysis/file/FormatError.h"

#include <utility>

namespace sendwright {

Otf2Library::Otf2Library(std::string name) : name(std::move(name)) {
  OTF2_Error_RegisterCallback(noteError, this);
}

Otf2Library::~Otf2Library() {
  OTF2_Error_RegisterCallback([](void *, const char *, std::uint64_t, const char *,
                                 OTF2_ErrorCode code, const char *, va_list) { return code; },
                              nullptr);
}

OTF2_ErrorCode Otf2Library::noteError(void *self, const char *, std::uint64_t, const char *,
                                      OTF2_ErrorCode code, const char *, va_list) {
  OTF2_ErrorCode &first = static_cast<Otf2Library *>(self)->first;
  if (first == OTF2_SUCCESS)
    first = code;
  return code;
}

void Otf2Library::fail(OTF2_ErrorCode code, const char *what) const {
  const OTF2_ErrorCode cause = first != OTF2_SUCCESS ? first : code;
  throw FormatError(name + ": " + what + " failed (" + OTF2_Error_GetName(cause) +
                    "), expected a complete OTF2 archive and a writable folder");
}

void Otf2Library::fail(const std::string &problem) const {
  throw FormatError(name + ": " + problem);
}

} // namespace sendwright
