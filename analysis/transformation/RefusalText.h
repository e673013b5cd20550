// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a transformation leaves a site alone, as a plan holds it: a sentence. Analyses decide by
// enumerated refusals, each with a textOf() that makes all its sentences (SharingRefusal.h). A plan
// only shows why. So a refusal becomes text when it enters a plan, and the file holds this text.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_REFUSALTEXT_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_REFUSALTEXT_H

#include "analysis/file/Fields.h"

#include <concepts>
#include <optional>
#include <string>
#include <utility>

namespace sendwright {

/// Part of a sentence: "it sends by MPI_Rsend".
class RefusalText {
public:
  /// The sentence of an enumerated refusal.
  template <typename Refusal>
    requires requires(const Refusal &refusal) {
      { textOf(refusal) } -> std::same_as<std::string>;
    }
  explicit RefusalText(const Refusal &refusal) : text(textOf(refusal)) {}
  /// A sentence as a plan file holds it.
  static RefusalText asRead(std::string text) { return RefusalText(std::move(text), Read{}); }

  const std::string &sentence() const { return text; }
  bool operator==(const RefusalText &) const = default;

private:
  struct Read {};
  RefusalText(std::string text, Read) : text(std::move(text)) {}

  std::string text;
};

/// "" if nothing is refused.
inline std::string sentenceOf(const std::optional<RefusalText> &refusal) {
  return refusal ? refusal->sentence() : "";
}

/// A site's refusal in a plan file (Fields.h): "" says that the site is not refused.
template <typename Fields>
void describeRefusal(Fields fields, Described<Fields, std::optional<RefusalText>> &refusal) {
  std::string text = sentenceOf(refusal);
  fields.text(text);
  if constexpr (Fields::reads)
    refusal = text.empty() ? std::nullopt : std::optional(RefusalText::asRead(std::move(text)));
}

} // namespace sendwright

#endif
