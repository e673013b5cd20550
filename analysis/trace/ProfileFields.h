// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sites, communicators and sequences are in a file (Fields.h): profiles hold them, and so do
// plans.

#ifndef SENDWRIGHT_ANALYSIS_TRACE_PROFILEFIELDS_H
#define SENDWRIGHT_ANALYSIS_TRACE_PROFILEFIELDS_H

#include "analysis/file/Fields.h"
#include "analysis/trace/Profile.h"

#include <climits>
#include <string>
#include <utility>
#include <vector>

namespace sendwright {

inline constexpr std::size_t leastSiteBytes = 13; ///< of a site in a file

template <typename Fields> void describeSite(Fields fields, Described<Fields, SiteIdentity> &site) {
  fields.text(site.file);
  fields.text(site.function);
  fields.number(site.line, UINT_MAX, "line");
  fields.number(site.ordinal, UINT_MAX, "ordinal");
  fields.fixed64(site.hash);
  fields.text(site.instantiation);
}

/// `rankCount`: of the profile or plan.
template <typename Fields>
void describeMembers(Fields fields, Described<Fields, std::vector<int>> &members,
                     std::size_t rankCount) {
  fields.uncountedLength(members); // ranks share lists, so ProfileAssembler counts the memory
  std::int64_t next = 0;           // consecutive ranks are zeros
  for (auto &member : members) {
    fields.relativeNumber(member, next, 0, static_cast<std::int64_t>(rankCount) - 1,
                          "member of a communicator, relative,");
    next = std::int64_t{member} + 1;
  }
}

template <typename Fields>
void describeCommunicators(Fields fields,
                           Described<Fields, std::vector<Communicator>> &communicators,
                           std::size_t rankCount) {
  fields.length(communicators, 3);
  for (auto &communicator : communicators) {
    fields.number(communicator.instance, UINT_MAX, "instance");
    fields.flag(communicator.intercommunicator);
    if constexpr (Fields::reads) {
      std::vector<int> members;
      describeMembers(fields, members, rankCount);
      communicator.members = std::move(members);
    } else {
      describeMembers(fields, communicator.members, rankCount);
    }
  }
}

/// One communicator, within a group of at least `leastMembers` ranks; if the file has another one,
/// `problem` says so.
template <typename Fields>
void describeGroup(Fields fields, Described<Fields, Communicator> &communicator,
                   std::size_t rankCount, std::size_t leastMembers, const char *problem) {
  std::vector<Communicator> list;
  if constexpr (!Fields::reads)
    list.push_back(communicator);
  describeCommunicators(fields, list, rankCount);
  fields.expect(list.size() == 1 && !list.front().intercommunicator &&
                    list.front().members.size() >= leastMembers,
                [&] { return problem; });
  if constexpr (Fields::reads)
    communicator = std::move(list.front());
}

/// A sequence of numbers below `numbers`.
template <typename Fields>
void describeGrammar(Fields fields, Described<Fields, Grammar> &grammar, std::size_t numbers) {
  fields.length(grammar.rules);
  for (auto &rule : grammar.rules) {
    fields.length(rule, 2);
    for (auto &item : rule) {
      std::uint64_t symbol = std::uint64_t{item.symbol} << 1 | (item.isRule ? 1 : 0);
      fields.number(symbol, (std::uint64_t{1} << 33) - 1, "symbol");
      if constexpr (Fields::reads) {
        item.symbol = static_cast<std::uint32_t>(symbol >> 1);
        item.isRule = symbol & 1;
      }
      fields.number(item.repetitions);
    }
  }
  if constexpr (Fields::reads)
    fields.expect(grammar.valid(static_cast<std::uint32_t>(numbers)),
                  [] { return "an invalid sequence, expected a grammar over the rank's events"; });
}

} // namespace sendwright

#endif
