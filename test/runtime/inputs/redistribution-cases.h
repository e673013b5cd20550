// Random redistributions, and their expected results by the definitions, element by element.

#include <sendwright/redistribution.h>

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

struct Random {
  explicit Random(unsigned seed) : engine(seed) {}
  long long below(long long limit) { return static_cast<long long>(engine() % limit); }
  std::mt19937_64 engine;
};

struct Totals {
  long long moves = 0, wrong = 0;
  void print() const {
    long long mine[2] = {moves, wrong}, all[2];
    int rank;
    MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
      std::printf("%lld redistributions, %lld wrong elements\n", all[0], all[1]);
  }
};

constexpr unsigned mostDimensions = SENDWRIGHT_DIMENSIONS;

struct Layout {
  unsigned kind[mostDimensions] = {};
  long long parameter[mostDimensions] = {};
  std::vector<int> sizes[mostDimensions]; ///< of gen_block; of indirect the owners
};

struct Shape {
  unsigned dimensions = 1;
  long long extents[mostDimensions];
  long long elements() const {
    long long product = 1;
    for (unsigned d = 0; d < dimensions; ++d)
      product *= extents[d];
    return product;
  }
};

struct Grid {
  unsigned dimensions = 1;
  long long extents[mostDimensions] = {1};
  long long first = 0, last = 0, stride = 0;
};

/// An arrangement of all ranks, or of some of them, for at most `most` distributed dimensions.
inline Grid randomGrid(Random &random, int ranks, unsigned most, bool all) {
  Grid grid;
  long long count = ranks;
  if (!all) {
    grid.first = random.below(ranks);
    grid.last = grid.first + random.below(ranks - grid.first);
    grid.stride = 1 + random.below(2);
    count = (grid.last - grid.first) / grid.stride + 1;
  }
  grid.dimensions = 1 + unsigned(random.below(most));
  for (unsigned d = 0; d + 1 < grid.dimensions; ++d) {
    do
      grid.extents[d] = 1 + random.below(count);
    while (count % grid.extents[d]);
    count /= grid.extents[d];
  }
  grid.extents[grid.dimensions - 1] = count;
  return grid;
}

inline void cutDimension(Random &random, Layout &layout, unsigned d, long long extent,
                         long long processors, bool inBlocks) {
  std::vector<int> &sizes = layout.sizes[d];
  layout.kind[d] = 1 + unsigned(random.below(inBlocks ? 2 : 4));
  switch (layout.kind[d]) {
  case SENDWRIGHT_GEN_BLOCK: {
    long long left = extent;
    for (long long p = 0; p < processors; ++p) {
      const long long size = random.below(4) == 0 ? 0 : random.below(2 * extent / processors + 2);
      sizes.push_back(int(size));
      left -= size;
    }
    if (left > 0)
      sizes[size_t(random.below(processors))] += int(left);
    break;
  }
  case SENDWRIGHT_BLOCK: {
    const long long least = (extent + processors - 1) / processors;
    layout.parameter[d] = random.below(2) ? 0 : least + 1 + random.below(3);
    break;
  }
  case SENDWRIGHT_INDIRECT:
    for (const long long run = 1 + random.below(5); (long long)sizes.size() < extent;)
      sizes.resize(size_t(std::min(extent, (long long)sizes.size() + run)),
                   int(random.below(processors)));
    break;
  default:
    layout.parameter[d] = random.below(6);
  }
}

/// Cuts as many dimensions as the grid has.
inline Layout randomLayout(Random &random, const Shape &shape, const Grid &grid, bool inBlocks) {
  Layout layout;
  unsigned onGrid = 0;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const unsigned left = shape.dimensions - d, needed = grid.dimensions - onGrid;
    if (needed > 0 && unsigned(random.below(left)) < needed)
      cutDimension(random, layout, d, shape.extents[d], grid.extents[onGrid++], inBlocks);
  }
  return layout;
}

/// The owner of each index of one dimension, by the definitions.
inline std::vector<int> owners(const Layout &layout, unsigned d, long long extent, int processors) {
  std::vector<int> owner;
  const long long n = layout.parameter[d];
  for (long long i = 0; i < extent; ++i)
    switch (layout.kind[d]) {
    case SENDWRIGHT_COLLAPSED:
      owner.push_back(0);
      break;
    case SENDWRIGHT_GEN_BLOCK: {
      long long end = 0;
      int p = 0;
      while (i >= (end += layout.sizes[d][size_t(p)]))
        ++p;
      owner.push_back(p);
      break;
    }
    case SENDWRIGHT_BLOCK:
      owner.push_back(int(i / (n ? n : (extent + processors - 1) / processors)));
      break;
    case SENDWRIGHT_INDIRECT:
      owner.push_back(layout.sizes[d][size_t(i)]);
      break;
    default:
      owner.push_back(int(i / (n ? n : 1) % processors));
    }
  return owner;
}

/// What a rank owns: the indices of each dimension. `takesPart`: it is one of the grid's.
struct Part {
  bool takesPart = true;
  std::vector<long long> indices[mostDimensions];
};

inline Part owned(const Layout &layout, const Shape &shape, const Grid &grid, int rank) {
  Part part;
  if (grid.stride != 0) {
    part.takesPart =
        rank >= grid.first && rank <= grid.last && (rank - grid.first) % grid.stride == 0;
    rank = int((rank - grid.first) / grid.stride);
  }
  if (!part.takesPart)
    return part;
  long long coordinates[mostDimensions];
  for (unsigned d = grid.dimensions; d-- > 0; rank = int(rank / grid.extents[d]))
    coordinates[d] = rank % grid.extents[d];
  unsigned onGrid = 0;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const bool cut = layout.kind[d] != SENDWRIGHT_COLLAPSED;
    const int processors = cut ? int(grid.extents[onGrid]) : 1;
    const long long coordinate = cut ? coordinates[onGrid++] : 0;
    const std::vector<int> owner = owners(layout, d, shape.extents[d], processors);
    for (long long i = 0; i < shape.extents[d]; ++i)
      if (owner[size_t(i)] == coordinate)
        part.indices[d].push_back(i);
  }
  return part;
}

/// Cells around blocks: widths below and above in each dimension; how they are filled.
struct Shadow {
  bool any = false;
  long long widths[2 * mostDimensions] = {};
  long long periodic[mostDimensions] = {};
  bool corners = false;
};

inline Shadow randomShadow(Random &random, const Shape &shape) {
  Shadow shadow;
  shadow.any = random.below(3) == 0;
  for (unsigned d = 0; shadow.any && d < shape.dimensions; ++d) {
    shadow.widths[2 * d] = random.below(3);
    shadow.widths[2 * d + 1] = random.below(3);
    shadow.periodic[d] = random.below(2);
  }
  shadow.corners = random.below(2);
  return shadow;
}

/// A cell of a rank's memory for an array, own or around the block.
struct Cell {
  long long place = 0;  ///< in memory
  long long number = 0; ///< of the element in the array
  int outside = 0;      ///< number of dimensions in which it is not in the block
};

/// The cells that have a meaning: the block's, and those around it after reflect. In a whole array
/// every element has the place that its number says.
inline std::vector<Cell> cellsOf(const Part &part, const Shape &shape, const Shadow &shadow,
                                 bool whole) {
  std::vector<Cell> cells;
  if (!part.takesPart)
    return cells;
  cells.push_back({});
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const std::vector<long long> &own = part.indices[d];
    const long long size = (long long)own.size(), extent = shape.extents[d];
    const long long lower = shadow.widths[2 * d], upper = shadow.widths[2 * d + 1];
    std::vector<Cell> longer;
    for (const Cell &cell : cells)
      for (long long p = -lower; size > 0 && p < size + upper; ++p) {
        const bool inside = p >= 0 && p < size;
        long long global = inside ? own[size_t(p)] : own[0] + p;
        if (!shadow.periodic[d] && (global < 0 || global >= extent))
          continue;
        global = (global % extent + extent) % extent;
        longer.push_back({whole ? cell.place * extent + global
                                : cell.place * (size + lower + upper) + p + lower,
                          cell.number * extent + global, cell.outside + !inside});
      }
    cells.swap(longer);
  }
  return cells;
}

/// Elements for which a rank has memory, if it is not for the whole array.
inline size_t roomFor(const Part &part, const Shape &shape, const Shadow &shadow) {
  size_t room = part.takesPart;
  for (unsigned d = 0; d < shape.dimensions; ++d)
    room *= part.indices[d].size() + size_t(shadow.widths[2 * d] + shadow.widths[2 * d + 1]);
  return room;
}

inline void fillDistribution(sendwright_distribution &out, const Layout &layout,
                             const Shape &shape) {
  std::memset(&out, 0, sizeof out);
  out.dimensions = shape.dimensions;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    out.dimension[d].kind = layout.kind[d];
    out.dimension[d].parameter = layout.parameter[d];
    out.dimension[d].sizes = layout.sizes[d].data();
    out.dimension[d].size_bytes = sizeof(int);
    out.dimension[d].sizes_signed = 1;
    out.dimension[d].size_count = (long long)layout.sizes[d].size();
    out.extents[d] = shape.extents[d];
  }
}

inline sendwright_processors processorsOf(const Grid &grid, MPI_Comm *communicator) {
  sendwright_processors processors;
  std::memset(&processors, 0, sizeof processors);
  processors.name = "P";
  processors.communicator = communicator;
  processors.dimensions = grid.dimensions;
  std::memcpy(processors.extents, grid.extents, sizeof grid.extents);
  processors.first = grid.first;
  processors.last = grid.last;
  processors.stride = grid.stride;
  return processors;
}

/// The bytes of an element: its number, the array's number, and a pattern after them.
template <typename Element> void setElement(Element *element, long long number, int array) {
  unsigned char *bytes = reinterpret_cast<unsigned char *>(element);
  for (size_t i = 0; i < sizeof(Element); ++i)
    bytes[i] = (unsigned char)(((number * 8 + array) * 2654435761ull + i * 40503ull) >> 7);
}

template <typename Element> struct VectorStorage {
  using Vector = std::vector<Element>;
  static void *data(void *v) { return static_cast<Vector *>(v)->data(); }
  static unsigned long long size(void *v) { return static_cast<Vector *>(v)->size(); }
  static void *create(void *, unsigned long long n) { return new Vector(n); }
  static void commit(void *v, void *created) {
    static_cast<Vector *>(v)->swap(*static_cast<Vector *>(created));
    delete static_cast<Vector *>(created);
  }
  static void discard(void *created) { delete static_cast<Vector *>(created); }
};

template <typename Element>
const sendwright_storage vectorStorage = {
    VectorStorage<Element>::data, VectorStorage<Element>::size,   VectorStorage<Element>::create,
    VectorStorage<Element>::data, VectorStorage<Element>::commit, VectorStorage<Element>::discard};

enum Memory { Malloc, Vector, WholeArray, WholeVector, memories };

/// An array in memory of one kind. Whole arrays have global indices: what the rank does not own may
/// be anything.
template <typename Element> struct TestArray {
  Element *block = nullptr;
  std::vector<Element> vector;
  sendwright_array array;
  const int number;
  const bool isWhole;
  const size_t wholeSize;

  TestArray(int number, Memory memory, const Shape &shape)
      : number(number), isWhole(memory >= WholeArray), wholeSize(size_t(shape.elements())) {
    std::memset(&array, 0, sizeof array);
    static const char *const names[] = {"A", "B", "C", "D"};
    array.name = names[number];
    array.element_size = sizeof(Element);
    if (memory == WholeArray)
      block = static_cast<Element *>(std::malloc(wholeSize * sizeof(Element) + 1));
    if (memory == WholeVector)
      vector.resize(wholeSize);
    array.variable = memory == WholeArray ? static_cast<void *>(block) : &block;
    if (memory == Vector || memory == WholeVector) {
      array.variable = &vector;
      array.storage = &vectorStorage<Element>;
    }
    array.indices = isWhole ? SENDWRIGHT_GLOBAL_INDICES : SENDWRIGHT_LOCAL_INDICES;
  }
  ~TestArray() {
    sendwright_forget(&array);
    std::free(block);
  }
  Element *data() { return array.storage ? vector.data() : block; }
  void fill(const Part &part, const Shape &shape, const Shadow &shadow) {
    const size_t room = roomFor(part, shape, shadow);
    if (array.storage && !isWhole)
      vector.resize(room);
    else if (!isWhole)
      block = static_cast<Element *>(std::malloc(room * sizeof(Element) + 1));
    for (const Cell &cell : cellsOf(part, shape, shadow, isWhole))
      if (cell.outside == 0)
        setElement(data() + cell.place, cell.number, number);
  }
  /// Counts wrong cells that lie outside of the block in at most so many dimensions.
  long long wrong(const Part &part, const Shape &shape, const Shadow &shadow, int mostOutside) {
    if (array.storage && vector.size() != (isWhole ? wholeSize : roomFor(part, shape, shadow)))
      return 1;
    long long wrong = 0;
    for (const Cell &cell : cellsOf(part, shape, shadow, isWhole)) {
      if (cell.outside > mostOutside)
        continue;
      Element expected;
      setElement(&expected, cell.number, number);
      wrong += std::memcmp(data() + cell.place, &expected, sizeof(Element)) != 0;
    }
    return wrong;
  }
};

inline Shape randomShape(Random &random) {
  static const long long lengths[] = {0, 1, 2, 3, 7, 13, 61, 97, 128, 500};
  Shape shape;
  shape.dimensions = random.below(3) ? 1 + unsigned(random.below(2))
                                     : 3 + unsigned(random.below(mostDimensions - 2));
  for (unsigned d = 0; d < shape.dimensions; ++d)
    shape.extents[d] = shape.dimensions > 2
                           ? 1 + random.below(shape.dimensions > 4 ? 4 : 11) - !random.below(30)
                           : lengths[random.below(shape.dimensions == 1 ? 10 : 8)];
  if (shape.dimensions == 1 && random.below(4) == 0)
    shape.extents[0] = 1009 + random.below(30000);
  return shape;
}

template <typename First, typename Second>
void runChainOf(Random &random, MPI_Comm communicator, Totals &totals) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const Shape shape = randomShape(random);
  TestArray<First> a(0, Memory(random.below(memories)), shape);
  TestArray<Second> b(1, Memory(random.below(memories)), shape);
  sendwright_array *arrays[] = {&a.array, &b.array};
  const unsigned long count = 1 + (unsigned long)random.below(2);
  static sendwright_site site = {"random.cpp", "main", 7, 0, 0, 0, nullptr};
  Grid grid = randomGrid(random, ranks, shape.dimensions, random.below(2));
  const sendwright_processors onto = processorsOf(grid, &communicator);
  const Shadow shadow = randomShadow(random, shape);
  const Layout layout = randomLayout(random, shape, grid, shadow.any);
  sendwright_distribution distribution;
  fillDistribution(distribution, layout, shape);
  Part part = owned(layout, shape, grid, rank);
  for (sendwright_array *array : arrays) {
    sendwright_distribute(&site, array, &onto, &distribution);
    if (shadow.any)
      sendwright_shadow(&site, array, shape.dimensions, shadow.widths);
  }
  a.fill(part, shape, shadow), b.fill(part, shape, shadow);
  for (int step = 0; step < 4; ++step) {
    const bool elsewhere = random.below(2);
    if (elsewhere)
      grid = randomGrid(random, ranks, shape.dimensions, random.below(2));
    const sendwright_processors next = processorsOf(grid, &communicator);
    const Layout to = randomLayout(random, shape, grid, shadow.any);
    fillDistribution(distribution, to, shape);
    sendwright_redistribute_onto(&site, unsigned(random.below(5)), nullptr, count, arrays,
                                 elsewhere ? &next : nullptr, &distribution);
    part = owned(to, shape, grid, rank);
    for (unsigned long i = 0; shadow.any && i < count; ++i)
      sendwright_reflect_begin(&site, arrays[i], shadow.corners, shape.dimensions, shadow.periodic);
    for (unsigned long i = 0; shadow.any && i < count; ++i)
      sendwright_reflect_end(&site, arrays[i]);
    const int outside = shadow.corners ? int(mostDimensions) : 1;
    const long long wrong = a.wrong(part, shape, shadow, outside) +
                            (count > 1 ? b.wrong(part, shape, shadow, outside) : 0);
    if (wrong)
      std::fprintf(stderr, "rank %d of %d: %lld wrong: %u dimensions, extent %lld, kind %u\n", rank,
                   ranks, wrong, shape.dimensions, shape.extents[0], to.kind[0]);
    totals.wrong += wrong;
    ++totals.moves;
  }
}

struct Large {
  char bytes[24];
};

inline void runChain(Random &random, MPI_Comm communicator, Totals &totals) {
  switch (random.below(4)) {
  case 0:
    return runChainOf<double, double>(random, communicator, totals);
  case 1:
    return runChainOf<char, Large>(random, communicator, totals);
  case 2:
    return runChainOf<Large, char>(random, communicator, totals);
  default:
    return runChainOf<long double, float>(random, communicator, totals);
  }
}
