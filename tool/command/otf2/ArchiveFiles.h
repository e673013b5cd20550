// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of an archive that is being written: they are written in a folder beside their target
// and renamed once they are complete.

#ifndef SENDWRIGHT_TOOL_COMMAND_OTF2_ARCHIVEFILES_H
#define SENDWRIGHT_TOOL_COMMAND_OTF2_ARCHIVEFILES_H

#include <filesystem>
#include <string>

namespace sendwright {

class ArchiveFiles {
public:
  /// Makes the folder. Throws FormatError if `anchor` does not end in ".otf2", if the folder cannot
  /// be made, or if something that is not an archive has the archive's name.
  explicit ArchiveFiles(const std::string &anchor);
  ~ArchiveFiles(); ///< removes the folder, and the archive in it unless commit() succeeded
  ArchiveFiles(const ArchiveFiles &) = delete;
  ArchiveFiles &operator=(const ArchiveFiles &) = delete;

  /// Where to write the archive, and under which name.
  const std::string &folder() const { return temporary; }
  const std::string &name() const { return stem; }

  /// Renames, the anchor last, and removes an older archive. Throws FormatError.
  void commit();

private:
  void checkTarget() const;
  [[noreturn]] void fail(const std::string &reason) const;

  std::string anchor, stem;
  std::filesystem::path target; // folder
  std::string temporary;
};

} // namespace sendwright

#endif
