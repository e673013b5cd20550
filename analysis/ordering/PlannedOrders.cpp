// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/PlannedOrders.h"

#include "analysis/file/Fields.h"

#include <unordered_set>

namespace sendwright {

namespace {

template <typename Fields>
void describeFigures(Fields fields, Described<Fields, OrderingFigures> &figures) {
  fields.text(figures.phase);
  for (auto *value : {&figures.given, &figures.planned, &figures.worst, &figures.lowerBound,
                      &figures.unit, &figures.keyed, &figures.staggered, &figures.overlapLost})
    fields.finite(*value, "a figure");
  fields.text(figures.key);
  fields.text(figures.reason);
  fields.number(figures.window, UINT32_MAX, "window");
  fields.number(figures.messages);
  fields.number(figures.bytes);
}

template <typename Fields>
void describeOrder(Fields fields, Described<Fields, SendOrder> &order, int rankCount) {
  fields.number(order.window, UINT32_MAX, "window");
  fields.number(order.instances);
  fields.length(order.destinations);
  int previous = 0;
  for (auto &destination : order.destinations) {
    fields.relativeNumber(destination, previous, 0, rankCount - 1, "destination, relative,");
    previous = destination;
  }
}

template <typename Fields>
void describeOrders(Fields fields, Described<Fields, std::vector<RankSite>> &rank, int rankCount,
                    std::size_t siteCount) {
  fields.length(rank, 2);
  std::unordered_set<std::uint32_t> known;
  for (auto &site : rank) {
    describeIndex(fields, site.site, siteCount, "site");
    if constexpr (Fields::reads)
      fields.expect(known.insert(site.site).second, [&] {
        return "site " + std::to_string(site.site) + " twice, expected each site once";
      });
    fields.length(site.orders, 3);
    for (auto &order : site.orders)
      describeOrder(fields, order, rankCount);
  }
}

} // namespace

void encodeFigures(ByteWriter &out, const OrderingFigures &figures) {
  describeFigures(FieldWriter(out), figures);
}

OrderingFigures decodeFigures(ByteReader &in) {
  OrderingFigures figures;
  describeFigures(FieldReader(in), figures);
  return figures;
}

std::string encodeOrders(const std::vector<RankSite> &rank) {
  ByteWriter out;
  describeOrders(FieldWriter(out), rank, 0, 0);
  return out.take();
}

std::vector<RankSite> decodeOrders(ByteReader &in, int rankCount, std::size_t siteCount) {
  std::vector<RankSite> rank;
  describeOrders(FieldReader(in), rank, rankCount, siteCount);
  in.expectEnd();
  return rank;
}

} // namespace sendwright
