// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a plan file from a few words on standard input, for tests of the runtime that need no
// profile:
//
//     ranks 4                        the number of ranks; what follows belongs to it
//     site 1                         a site with this hash (loops of planned-loop.h)
//     site 1 Value = int             an instantiation of it
//     order * window=0 3 2 1 0       of all ranks, or of one: destinations in the order to send

#include "analysis/file/FormatError.h"
#include "analysis/plan/Plan.h"

#include <cstdio>
#include <iostream>
#include <sstream>

using namespace sendwright;

namespace {

SitePlan siteWithHash(unsigned long hash, std::istream &instantiation) {
  SitePlan plan;
  std::getline(instantiation >> std::ws, plan.site.instantiation);
  plan.site.file = "program.c";
  plan.site.function = "main";
  plan.site.line = 1;
  plan.site.hash = hash;
  plan.decision = Decision::Rewrite;
  plan.transformation = "message-ordering";
  plan.reason = "a test wants it";
  return plan;
}

void addOrder(RankCountPlan &plan, const std::string &rank, const SendOrder &order) {
  const auto site = static_cast<std::uint32_t>(plan.sites.size() - 1);
  for (std::size_t index = 0; index < plan.ranks.size(); ++index) {
    if (rank != "*" && rank != std::to_string(index))
      continue;
    std::vector<RankSite> &sites = plan.ranks[index];
    if (sites.empty() || sites.back().site != site)
      sites.push_back({site, {}});
    sites.back().orders.push_back(order);
  }
}

SendOrder parseOrder(std::istream &words) {
  SendOrder order;
  order.instances = 1;
  for (std::string word; words >> word;)
    if (word.starts_with("window="))
      order.window = std::stoul(word.substr(7));
    else
      order.destinations.push_back(std::stoi(word));
  return order;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write-plan PLAN\n");
    return 2;
  }
  Plan plan;
  RankCountPlan *current = nullptr;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string kind, rank;
    unsigned long number = 0;
    words >> kind;
    if (kind == "ranks" && words >> number) {
      current = &plan.rankCounts[static_cast<int>(number)];
      current->profile = "test.prof";
      current->ranks.resize(number);
    } else if (kind == "site" && words >> number) {
      current->sites.push_back(siteWithHash(number, words));
    } else if (kind == "order" && words >> rank) {
      addOrder(*current, rank, parseOrder(words));
    } else {
      std::fprintf(stderr, "write-plan: '%s' is neither ranks, site nor order\n", line.c_str());
      return 1;
    }
  }
  try {
    writePlan(plan, argv[1]);
  } catch (const FormatError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
