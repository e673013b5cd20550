// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/fuzz/Containers.h"

#include "analysis/file/Bytes.h"
#include "analysis/file/FormatError.h"
#include "test/fuzz/Scratch.h"

namespace sendwright::fuzz {

std::optional<OpenContainer> takeApart(std::string_view bytes) {
  constexpr std::size_t versionAt = 8;
  const FileGuess guess = guessFileKind(bytes);
  if (guess == FileGuess::Other || bytes.size() < versionAt + 4)
    return std::nullopt;
  try {
    OpenContainer container;
    container.kind = guess == FileGuess::Plan ? FileKind::Plan : FileKind::Profile;
    container.version = ByteReader(bytes.substr(versionAt), "").fixed32();
    const ContainerReader reader(bytes, container.kind, container.version, "");
    for (const ContainerReader::Section &section : reader.sections())
      container.sections.push_back({section.key, reader.content(section)});
    return container;
  } catch (const FormatError &) {
    return std::nullopt;
  }
}

std::string putTogether(const OpenContainer &container) {
  const std::string name = scratchFile("container");
  ContainerWriter writer(name, container.kind, container.version);
  for (const OpenContainer::Section &section : container.sections)
    writer.add(section.key, packSection(section.content));
  writer.finish();
  return readScratch(name);
}

void changeSections(OpenContainer &container, Draw &draw,
                    const std::function<void(std::string &)> &changeBytes) {
  OpenContainer::Section *section = draw.pick(container.sections);
  if (!section)
    return;
  if (draw.oneIn(32))
    draw.rearrange(container.sections);
  else if (draw.oneIn(32))
    draw.change(draw.oneIn(2) ? section->key.first : section->key.second);
  else if (draw.oneIn(32))
    draw.pick(container.sections)->content = std::string(section->content);
  else
    changeBytes(section->content);
}

void changeBytes(std::string &bytes, Draw &draw) {
  if (bytes.empty())
    bytes.push_back(0);
  const std::size_t at = draw.below(bytes.size());
  switch (draw.below(4)) {
  case 0:
    bytes.erase(at, 1 + draw.below(4));
    break;
  case 1:
    bytes.insert(at, bytes.substr(draw.below(bytes.size()), 1 + draw.below(8)));
    break;
  default: {
    auto byte = static_cast<std::uint8_t>(bytes[at]);
    draw.change(byte);
    bytes[at] = static_cast<char>(byte);
  }
  }
}

} // namespace sendwright::fuzz
