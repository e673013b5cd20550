// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/command/show/CoverageTable.h"

#include "analysis/file/Escaping.h"
#include "analysis/file/FigureText.h"

#include <algorithm>
#include <cinttypes>
#include <utility>
#include <vector>

namespace sendwright {

namespace {

Amount sum(const std::map<std::string, Amount> &kinds) {
  Amount all;
  for (const auto &[name, amount] : kinds)
    all += amount;
  return all;
}

/// Each loop may have a reason of its own.
constexpr std::size_t mostReasons = 20;

class Table {
public:
  Table(std::FILE *out, Amount all) : out(out), all(all) {
    std::fprintf(out, "%7s %14s %18s\n", "loops", "messages", "bytes");
  }

  void row(const Amount &amount, const std::string &name) {
    std::fprintf(out, "%7" PRIu64 " ", amount.loops);
    rest(amount, name);
  }

  void rowWithoutLoops(const Amount &amount, const std::string &name) {
    std::fprintf(out, "%7s ", "");
    rest(amount, name);
  }

  void rows(const std::map<std::string, Amount> &kinds, const char *prefix) {
    std::vector<std::pair<std::string, Amount>> sorted(kinds.begin(), kinds.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto &left, const auto &right) {
      return left.second.sends > right.second.sends;
    });
    const std::size_t shown = std::min(sorted.size(), mostReasons);
    for (std::size_t index = 0; index < shown; ++index)
      row(sorted[index].second, prefix + sorted[index].first);
    Amount others;
    for (std::size_t index = shown; index < sorted.size(); ++index)
      others += sorted[index].second;
    if (shown < sorted.size())
      row(others, prefix + std::string("other reasons"));
  }

private:
  void rest(const Amount &amount, const std::string &name) {
    std::fprintf(out, "%14" PRIu64 " %5.1f %% %10s %5.1f %%  %s\n", amount.sends,
                 percent(amount.sends, all.sends), bytesText(amount.bytes).c_str(),
                 percent(amount.bytes, all.bytes), printable(name).c_str());
  }

  static double percent(std::uint64_t part, std::uint64_t whole) {
    return whole ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  }

  std::FILE *out;
  const Amount all;
};

} // namespace

void printCoverage(std::FILE *out, const Coverage &coverage) {
  const Amount rewritten = sum(coverage.rewritten), left = sum(coverage.left);
  Amount all{rewritten.loops + left.loops, rewritten.sends + left.sends + coverage.asWritten.sends,
             rewritten.bytes + left.bytes + coverage.asWritten.bytes};
  const Amount inLoops = all;
  all.sends += coverage.outside.sends;
  all.bytes += coverage.outside.bytes;
  Table table(out, all);
  table.row(inLoops, "send loops found");
  table.row(rewritten, "  rewritten");
  table.rows(coverage.rewritten, "    by ");
  table.row(left, "  left");
  table.rows(coverage.left, "    ");
  if (!coverage.notShared.empty()) {
    table.row(sum(coverage.notShared), "  not shared because");
    table.rows(coverage.notShared, "    ");
  }
  if (coverage.outside.sends > 0)
    table.rowWithoutLoops(coverage.outside, "sent in no loop");
  if (coverage.asWritten.sends > 0)
    table.rowWithoutLoops(coverage.asWritten, "sent as written by rewritten loops");
}

} // namespace sendwright
