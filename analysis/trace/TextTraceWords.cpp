// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/TextTraceWords.h"

#include "analysis/file/Escaping.h"

#include <algorithm>
#include <cctype>

namespace sendwright {

namespace {

bool isMessage(MpiRole role) {
  return isSend(role) || role == MpiRole::Receive || role == MpiRole::NonblockingReceive;
}

/// The function whose name in lower case, without MPI_, is `word`, or null.
const MpiFunction *functionCalled(std::string_view word) {
  if (word.empty() || !std::islower(static_cast<unsigned char>(word[0])))
    return nullptr;
  std::string name = "MPI_" + std::string(word);
  name[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[4])));
  return findMpiFunction(name);
}

std::string wordOf(const MpiFunction &function) {
  std::string word(function.name.substr(4));
  word[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(word[0])));
  return word;
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

bool isEscape(std::string_view text, std::size_t at) {
  return text[at] == '%' && at + 2 < text.size() && hexadecimal(text[at + 1]) >= 0 &&
         hexadecimal(text[at + 2]) >= 0;
}

} // namespace

const MpiFunction *findMessage(std::string_view word) {
  const MpiFunction *function = functionCalled(word);
  return function && isMessage(function->role) ? function : nullptr;
}

std::string messageWord(const MpiFunction &function) {
  if (function.role == MpiRole::MatchedReceive)
    return wordOf(mpiFunction(function.request < 0 ? MpiFunctionId::Recv : MpiFunctionId::Irecv));
  return isMessage(function.role) ? wordOf(function) : "";
}

const MpiFunction *findCollective(std::string_view word) {
  const MpiFunction *function = functionCalled(word);
  return function && isCollective(function->role) ? function : nullptr;
}

std::string collectiveWord(const MpiFunction &function) {
  return isCollective(function.role) ? wordOf(function) : "";
}

std::string encodeTraceFile(std::string_view file) {
  std::string word;
  while (!file.empty()) {
    const std::size_t ordinary = ordinaryCharacter(file), size = std::max(ordinary, std::size_t{1});
    if (ordinary > 0 && file[0] != ' ' && file[0] != '#' && file[0] != '%')
      word += file.substr(0, size);
    else
      for (const char letter : file.substr(0, size)) {
        const auto byte = static_cast<unsigned char>(letter);
        word += '%';
        word += "0123456789ABCDEF"[byte >> 4];
        word += "0123456789ABCDEF"[byte & 15];
      }
    file.remove_prefix(size);
  }
  return word;
}

std::string decodeTraceFile(std::string_view word) {
  std::string file;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (isEscape(word, at)) {
      file += static_cast<char>(hexadecimal(word[at + 1]) * 16 + hexadecimal(word[at + 2]));
      at += 2;
    } else {
      file += word[at];
    }
  }
  return file;
}

} // namespace sendwright
