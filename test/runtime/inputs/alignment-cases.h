// Random alignments: arrays and templates that are redistributed and realigned, and arrays that move
// with them, compared with the definition element by element.

#include "redistribution-cases.h"

/// How an array lies along another, or along a template.
struct TestAlignment {
  Shape shape;                     ///< of the aligned array
  int along[mostDimensions];       ///< by dimension: one of the other's, or -1
  long long offset[mostDimensions]; ///< where index 0 lies
};

/// Lies along all of `needed`, in this order, perhaps along other dimensions, and has dimensions of its
/// own. `same`: as the other array.
inline TestAlignment randomAlignment(Random &random, const Shape &target,
                                     const std::vector<bool> &needed, bool same) {
  TestAlignment made;
  made.shape.dimensions = 0;
  std::vector<int> order;
  for (unsigned d = 0; d < target.dimensions; ++d) {
    if (same || needed[d])
      order.push_back(int(d));
    else if (random.below(2)) // anywhere: it is never divided
      order.insert(order.begin() + random.below((long long)order.size() + 1), int(d));
    if (!same && target.dimensions < 5 && order.size() < 3 && random.below(4) == 0)
      order.push_back(-1);
  }
  if (order.empty())
    order.push_back(-1);
  for (const int along : order) {
    const unsigned d = made.shape.dimensions++;
    made.along[d] = along;
    made.offset[d] = 0;
    const long long extent = along < 0 ? 1 + random.below(4) : target.extents[along];
    made.shape.extents[d] = extent;
    if (along < 0 || same || random.below(2))
      continue;
    made.offset[d] = random.below(std::min(extent, 3LL) + 1);
    made.shape.extents[d] = random.below(2) ? extent - made.offset[d]
                                            : random.below(extent - made.offset[d] + 1);
  }
  return made;
}

inline sendwright_distribution distributionOf(const TestAlignment &alignment) {
  sendwright_distribution out;
  std::memset(&out, 0, sizeof out);
  out.dimensions = alignment.shape.dimensions;
  for (unsigned d = 0; d < out.dimensions; ++d) {
    out.extents[d] = alignment.shape.extents[d];
    if (alignment.along[d] < 0)
      continue;
    out.dimension[d].kind = SENDWRIGHT_ALIGNED;
    out.dimension[d].along = unsigned(alignment.along[d]);
    out.dimension[d].parameter = alignment.offset[d];
  }
  return out;
}

inline Part ownedAlong(const TestAlignment &alignment, const Part &target) {
  Part part;
  part.takesPart = target.takesPart;
  for (unsigned d = 0; part.takesPart && d < alignment.shape.dimensions; ++d)
    if (alignment.along[d] < 0) {
      for (long long i = 0; i < alignment.shape.extents[d]; ++i)
        part.indices[d].push_back(i);
    } else {
      for (const long long index : target.indices[alignment.along[d]]) {
        const long long i = index - alignment.offset[d];
        if (i >= 0 && i < alignment.shape.extents[d])
          part.indices[d].push_back(i);
      }
    }
  return part;
}

/// Cuts only dimensions of `may`.
inline Layout randomLayoutWithin(Random &random, const Shape &shape, const Grid &grid,
                                 const std::vector<bool> &may, bool inBlocks) {
  Layout layout;
  unsigned onGrid = 0, left = unsigned(std::count(may.begin(), may.end(), true));
  for (unsigned d = 0; d < shape.dimensions; ++d)
    if (may[d] && unsigned(random.below(left--)) < grid.dimensions - onGrid)
      cutDimension(random, layout, d, shape.extents[d], grid.extents[onGrid++], inBlocks);
  return layout;
}

/// Two arrays or templates that are redistributed, each in its own way.
template <typename Element> struct TestRoot {
  Grid grid;
  Part part;
  bool isTemplate;
  TestArray<Element> array;
  sendwright_array only;

  TestRoot(Random &random, int number, const Shape &shape)
      : isTemplate(random.below(3) == 0), array(number, Memory(random.below(memories)), shape) {
    std::memset(&only, 0, sizeof only);
    only.name = "T";
    only.indices = SENDWRIGHT_NO_INDICES;
  }
  ~TestRoot() { sendwright_forget(&only); }
  sendwright_array *object() { return isTemplate ? &only : &array.array; }
};

template <typename First, typename Second, typename Third>
void runAlignedChainOf(Random &random, MPI_Comm communicator, Totals &totals) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  static sendwright_site site = {"random.cpp", "main", 9, 0, 0, 0, nullptr};
  const Shape shape = randomShape(random);
  std::vector<bool> may(shape.dimensions);
  for (unsigned d = 0; d < shape.dimensions; ++d)
    may[d] = random.below(2);
  may[random.below(shape.dimensions)] = true;
  const unsigned most = unsigned(std::count(may.begin(), may.end(), true));
  const bool shadows = random.below(3) == 0;
  const Shadow none, rootShadow = shadows ? randomShadow(random, shape) : none;
  const TestAlignment ofB = randomAlignment(random, shape, may, random.below(3) == 0);
  std::vector<bool> mayB;
  for (unsigned d = 0; d < ofB.shape.dimensions; ++d)
    mayB.push_back(ofB.along[d] >= 0 && may[size_t(ofB.along[d])]);
  const TestAlignment ofC = randomAlignment(random, ofB.shape, mayB, random.below(3) == 0);
  const Shadow shadowB = shadows ? randomShadow(random, ofB.shape) : none,
               shadowC = shadows ? randomShadow(random, ofC.shape) : none;
  TestArray<Second> b(2, Memory(random.below(memories)), ofB.shape);
  TestArray<Third> c(3, Memory(random.below(memories)), ofC.shape);
  TestRoot<First> roots[2] = {{random, 0, shape}, {random, 1, shape}};
  for (TestRoot<First> &root : roots) {
    root.grid = randomGrid(random, ranks, most, random.below(2));
    const Layout layout = randomLayoutWithin(random, shape, root.grid, may, shadows);
    const sendwright_processors onto = processorsOf(root.grid, &communicator);
    sendwright_distribution distribution;
    fillDistribution(distribution, layout, shape);
    sendwright_distribute(&site, root.object(), &onto, &distribution);
    if (rootShadow.any && !root.isTemplate)
      sendwright_shadow(&site, root.object(), shape.dimensions, rootShadow.widths);
    root.part = owned(layout, shape, root.grid, rank);
    if (!root.isTemplate)
      root.array.fill(root.part, shape, rootShadow);
  }
  int at = 0; // the root with which b moves
  const sendwright_distribution alongRoot = distributionOf(ofB), alongB = distributionOf(ofC);
  sendwright_array *const followers[] = {&b.array, &c.array};
  sendwright_align(&site, &b.array, roots[0].object(), &alongRoot);
  sendwright_align(&site, &c.array, &b.array, &alongB);
  if (shadowB.any)
    sendwright_shadow(&site, &b.array, ofB.shape.dimensions, shadowB.widths);
  if (shadowC.any)
    sendwright_shadow(&site, &c.array, ofC.shape.dimensions, shadowC.widths);
  Part partB = ownedAlong(ofB, roots[0].part), partC = ownedAlong(ofC, partB);
  b.fill(partB, ofB.shape, shadowB), c.fill(partC, ofC.shape, shadowC);
  for (int step = 0; step < 5; ++step) {
    if (random.below(4) == 0) {
      at = int(random.below(2));
      sendwright_realign(&site, 1, followers, roots[at].object(), &alongRoot);
    } else {
      TestRoot<First> &root = roots[random.below(2)];
      const bool elsewhere = random.below(2);
      if (elsewhere)
        root.grid = randomGrid(random, ranks, most, random.below(2));
      const sendwright_processors next = processorsOf(root.grid, &communicator);
      const Layout to = randomLayoutWithin(random, shape, root.grid, may, shadows);
      sendwright_distribution distribution;
      fillDistribution(distribution, to, shape);
      sendwright_array *const moved[] = {root.object()};
      sendwright_redistribute_onto(&site, unsigned(random.below(5)), nullptr, 1, moved,
                                   elsewhere ? &next : nullptr, &distribution);
      root.part = owned(to, shape, root.grid, rank);
    }
    partB = ownedAlong(ofB, roots[at].part), partC = ownedAlong(ofC, partB);
    if (shadowB.any) {
      sendwright_reflect_begin(&site, &b.array, shadowB.corners, ofB.shape.dimensions,
                               shadowB.periodic);
      sendwright_reflect_end(&site, &b.array);
    }
    long long wrong = b.wrong(partB, ofB.shape, shadowB,
                              !shadowB.any ? 0 : shadowB.corners ? int(mostDimensions) : 1) +
                      c.wrong(partC, ofC.shape, shadowC, 0);
    for (TestRoot<First> &root : roots)
      if (!root.isTemplate)
        wrong += root.array.wrong(root.part, shape, rootShadow, 0);
    if (wrong)
      std::fprintf(stderr, "rank %d of %d: %lld wrong of aligned arrays, step %d\n", rank, ranks,
                   wrong, step);
    totals.wrong += wrong;
    ++totals.moves;
  }
}

inline void runAlignedChain(Random &random, MPI_Comm communicator, Totals &totals) {
  switch (random.below(3)) {
  case 0:
    return runAlignedChainOf<double, int, Large>(random, communicator, totals);
  case 1:
    return runAlignedChainOf<char, Large, double>(random, communicator, totals);
  default:
    return runAlignedChainOf<Large, short, char>(random, communicator, totals);
  }
}
