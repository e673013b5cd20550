// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What transformations keep in a plan, each in types of its own. A plan, and each of its sites,
// holds at most one part of each type, and knows nothing of its content.

#ifndef SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANPARTS_H
#define SENDWRIGHT_ANALYSIS_TRANSFORMATION_PLANPARTS_H

#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace sendwright {

struct PlanPart {
  PlanPart() = default;
  PlanPart(const PlanPart &) = default;
  PlanPart(PlanPart &&) = default;
  PlanPart &operator=(const PlanPart &) = default;
  PlanPart &operator=(PlanPart &&) = default;
  virtual ~PlanPart() = default;
  virtual std::unique_ptr<PlanPart> copy() const = 0;
};

/// Base of a part: `struct PlannedOrders : PlanPartOf<PlannedOrders>`. The part has a member
/// `static constexpr std::string_view partName`, which must be unique among all types of parts.
template <typename Part> struct PlanPartOf : PlanPart {
  std::unique_ptr<PlanPart> copy() const override {
    return std::make_unique<Part>(static_cast<const Part &>(*this));
  }
};

/// Parts by their type. Copies are deep. Logarithmic in the number of types.
class PlanParts {
public:
  PlanParts() = default;
  PlanParts(PlanParts &&) = default;
  PlanParts &operator=(PlanParts &&) = default;
  PlanParts(const PlanParts &other) {
    for (const auto &[name, part] : other.parts)
      parts.emplace(name, part->copy());
  }
  PlanParts &operator=(const PlanParts &other) {
    if (this != &other)
      parts = std::move(PlanParts(other).parts);
    return *this;
  }
  ~PlanParts() = default;

  /// The part of this type; created if there is none.
  template <typename Part> Part &of() {
    std::unique_ptr<PlanPart> &part = parts[Part::partName];
    if (!part)
      part = std::make_unique<Part>();
    return static_cast<Part &>(*part);
  }
  /// The part of this type, or an empty one that lives as long as the program.
  template <typename Part> const Part &of() const {
    static const Part empty;
    const auto found = parts.find(Part::partName);
    return found == parts.end() ? empty : static_cast<const Part &>(*found->second);
  }

private:
  std::map<std::string_view, std::unique_ptr<PlanPart>> parts;
};

} // namespace sendwright

#endif
