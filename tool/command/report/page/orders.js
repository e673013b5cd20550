// Orders of ranks in which a communication matrix is drawn.
"use strict";
Sendwright.orders = (() => {
  const given = count => Array.from({length: count}, (_, index) => index);

  /// Ranks of one host lie together, in their order.
  const byHost = hosts => given(hosts.length).sort((one, other) => hosts[one] - hosts[other] || one - other);

  /// Ranks that communicate lie near one another: reverse Cuthill and McKee (1969). O(pairs log pairs).
  function byNeighbours(count, senders, receivers) {
    const neighbours = given(count).map(() => new Set());
    for (let pair = 0; pair < senders.length; ++pair)
      if (senders[pair] !== receivers[pair]) {
        neighbours[senders[pair]].add(receivers[pair]);
        neighbours[receivers[pair]].add(senders[pair]);
      }
    const byDegree = (one, other) => neighbours[one].size - neighbours[other].size || one - other;
    const order = [], seen = new Set();
    for (const start of given(count).sort(byDegree)) {
      if (seen.has(start))
        continue;
      seen.add(start);
      order.push(start);
      for (let at = order.length - 1; at < order.length; ++at)
        for (const next of Array.from(neighbours[order[at]]).filter(each => !seen.has(each)).sort(byDegree)) {
          seen.add(next);
          order.push(next);
        }
    }
    return order.reverse();
  }

  return {given, byHost, byNeighbours};
})();
