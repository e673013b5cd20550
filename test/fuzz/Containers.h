// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profile and plan files taken apart into the contents of their sections, and put together again
// with correct lengths and checksums, whatever the contents have become.

#ifndef SENDWRIGHT_TEST_FUZZ_CONTAINERS_H
#define SENDWRIGHT_TEST_FUZZ_CONTAINERS_H

#include "analysis/file/Container.h"
#include "test/fuzz/Draw.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sendwright::fuzz {

struct OpenContainer {
  struct Section {
    SectionKey key;
    std::string content;
  };
  FileKind kind = FileKind::Profile;
  std::uint32_t version = 0;
  std::vector<Section> sections;
};

/// Nothing if the file is damaged.
std::optional<OpenContainer> takeApart(std::string_view bytes);

std::string putTogether(const OpenContainer &container);

/// Changes sections without knowing their contents: their order, their keys, or by `changeBytes`
/// their contents.
void changeSections(OpenContainer &container, Draw &draw,
                    const std::function<void(std::string &)> &changeBytes);

/// Changes bytes blindly: one number, or a few bytes removed or repeated.
void changeBytes(std::string &bytes, Draw &draw);

} // namespace sendwright::fuzz

#endif
