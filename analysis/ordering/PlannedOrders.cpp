// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/ordering/PlannedOrders.h"

#include <unordered_set>

namespace sendwright {

void encodeFigures(ByteWriter &out, const OrderingFigures &figures) {
  out.text(figures.phase);
  for (double value : {figures.given, figures.planned, figures.worst, figures.lowerBound,
                       figures.unit, figures.keyed, figures.staggered, figures.overlapLost})
    out.real(value);
  out.text(figures.key);
  out.text(figures.reason);
  out.number(figures.window);
  out.number(figures.messages);
  out.number(figures.bytes);
}

OrderingFigures decodeFigures(ByteReader &in) {
  OrderingFigures figures;
  figures.phase = in.text();
  for (double *value : {&figures.given, &figures.planned, &figures.worst, &figures.lowerBound,
                        &figures.unit, &figures.keyed, &figures.staggered, &figures.overlapLost})
    *value = in.finite("a figure");
  figures.key = in.text();
  figures.reason = in.text();
  figures.window = static_cast<std::uint32_t>(in.number(UINT32_MAX, "window"));
  figures.messages = in.number();
  figures.bytes = in.number();
  return figures;
}

std::string encodeOrders(const std::vector<RankSite> &rank) {
  ByteWriter out;
  out.number(rank.size());
  for (const RankSite &site : rank) {
    out.number(site.site);
    out.number(site.orders.size());
    for (const SendOrder &order : site.orders) {
      out.number(order.window);
      out.number(order.instances);
      out.number(order.destinations.size());
      int previous = 0;
      for (int destination : order.destinations) {
        out.signedNumber(std::int64_t{destination} - previous);
        previous = destination;
      }
    }
  }
  return out.take();
}

std::vector<RankSite> decodeOrders(ByteReader &in, int rankCount, std::size_t siteCount) {
  std::vector<RankSite> rank(in.countOf<RankSite>(2));
  std::unordered_set<std::uint32_t> known;
  for (RankSite &site : rank) {
    site.site = static_cast<std::uint32_t>(in.number(UINT32_MAX, "site"));
    if (site.site >= siteCount)
      in.fail("site " + std::to_string(site.site) + ", expected one of " +
              std::to_string(siteCount));
    if (!known.insert(site.site).second)
      in.fail("site " + std::to_string(site.site) + " twice, expected each site once");
    in.resize(site.orders, 3);
    for (SendOrder &order : site.orders) {
      order.window = static_cast<std::uint32_t>(in.number(UINT32_MAX, "window"));
      order.instances = in.number();
      in.resize(order.destinations);
      std::int64_t previous = 0;
      for (int &destination : order.destinations) {
        previous += in.signedNumber(-previous, rankCount - 1 - previous, "destination, relative,");
        destination = static_cast<int>(previous);
      }
    }
  }
  in.expectEnd();
  return rank;
}

} // namespace sendwright
