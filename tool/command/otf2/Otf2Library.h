// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's errors as FormatError. Without this, it prints several lines for each.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2LIBRARY_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_OTF2LIBRARY_H

#include <otf2/otf2.h>

#include <string>

namespace sendwright {

/// While it exists, the library prints nothing. One at a time.
class Otf2Library {
public:
  /// `name`: the archive's, for messages.
  explicit Otf2Library(std::string name);
  ~Otf2Library();
  Otf2Library(const Otf2Library &) = delete;
  Otf2Library &operator=(const Otf2Library &) = delete;

  /// Throws FormatError "NAME: WHAT: the library's reason, expected EXPECTED" unless `code` is
  /// success.
  void check(OTF2_ErrorCode code, const char *what) const {
    if (code != OTF2_SUCCESS)
      fail(code, what);
  }
  /// The same for a pointer, which is null on failure.
  template <typename Handle> Handle *check(Handle *handle, const char *what) const {
    if (!handle)
      fail(OTF2_ERROR_INVALID, what);
    return handle;
  }
  [[noreturn]] void fail(OTF2_ErrorCode code, const char *what) const;
  /// Throws FormatError "NAME: PROBLEM".
  [[noreturn]] void fail(const std::string &problem) const;

private:
  static OTF2_ErrorCode noteError(void *self, const char *file, std::uint64_t line,
                                  const char *function, OTF2_ErrorCode code, const char *format,
                                  va_list arguments);

  std::string name;
  OTF2_ErrorCode first = OTF2_SUCCESS; // of the errors since the last failure
};

} // namespace sendwright

#endif
