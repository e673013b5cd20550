// Random redistributions, and their expected results by the definitions, element by element.

#include <sendwright/redistribution.h>

#include <mpi.h>

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

struct Layout {
  unsigned kind[2] = {0, 0};
  long long parameter[2] = {0, 0};
  std::vector<int> sizes[2];
};

struct Shape {
  unsigned dimensions, gridDimensions;
  long long extents[2] = {1, 1};
  long long grid[2] = {1, 1};
};

inline Layout randomLayout(Random &random, const Shape &shape, bool distributeFirst) {
  Layout layout;
  unsigned onGrid = 0;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const bool cut = shape.gridDimensions == shape.dimensions || (d == 0) == distributeFirst;
    if (!cut)
      continue;
    const long long processors = shape.grid[onGrid++], extent = shape.extents[d];
    layout.kind[d] = 1 + unsigned(random.below(3));
    if (layout.kind[d] == SENDWRIGHT_GEN_BLOCK) {
      std::vector<int> &sizes = layout.sizes[d];
      long long left = extent;
      for (long long p = 0; p < processors; ++p) {
        const long long size = random.below(4) == 0 ? 0 : random.below(2 * extent / processors + 2);
        sizes.push_back(int(size));
        left -= size;
      }
      if (left > 0)
        sizes[size_t(random.below(processors))] += int(left);
    } else if (layout.kind[d] == SENDWRIGHT_BLOCK) {
      const long long least = (extent + processors - 1) / processors;
      layout.parameter[d] = random.below(2) ? 0 : least + 1 + random.below(3);
    } else {
      layout.parameter[d] = random.below(6);
    }
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
    default:
      owner.push_back(int(i / (n ? n : 1) % processors));
    }
  return owner;
}

/// The global numbers of this rank's elements, in the order of its block.
inline std::vector<long long> owned(const Layout &layout, const Shape &shape, int rank) {
  int coordinates[2] = {rank, 0};
  if (shape.gridDimensions == 2)
    coordinates[0] = int(rank / shape.grid[1]), coordinates[1] = int(rank % shape.grid[1]);
  std::vector<long long> mine[2] = {{}, {0}};
  unsigned onGrid = 0;
  for (unsigned d = 0; d < shape.dimensions; ++d) {
    const bool cut = layout.kind[d] != SENDWRIGHT_COLLAPSED;
    const int processors = cut ? int(shape.grid[onGrid]) : 1;
    const int coordinate = cut ? coordinates[onGrid++] : 0;
    const std::vector<int> owner = owners(layout, d, shape.extents[d], processors);
    mine[d].clear();
    for (long long i = 0; i < shape.extents[d]; ++i)
      if (owner[size_t(i)] == coordinate)
        mine[d].push_back(i);
  }
  std::vector<long long> numbers;
  for (long long row : mine[0])
    for (long long column : mine[1])
      numbers.push_back(row * shape.extents[1] + column);
  return numbers;
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

/// An array in memory of either kind.
template <typename Element> struct TestArray {
  Element *block = nullptr;
  std::vector<Element> vector;
  sendwright_array array;
  int number;

  TestArray(int number, bool inVector) : number(number) {
    std::memset(&array, 0, sizeof array);
    array.name = number ? "B" : "A";
    array.element_size = sizeof(Element);
    array.variable = inVector ? static_cast<void *>(&vector) : &block;
    array.storage = inVector ? &vectorStorage<Element> : nullptr;
  }
  ~TestArray() {
    sendwright_forget(&array);
    std::free(block);
  }
  Element *data() { return array.storage ? vector.data() : block; }
  void fill(const std::vector<long long> &numbers) {
    if (array.storage)
      vector.resize(numbers.size());
    else
      block = static_cast<Element *>(std::malloc(numbers.size() * sizeof(Element) + 1));
    for (size_t i = 0; i < numbers.size(); ++i)
      setElement(data() + i, numbers[i], number);
  }
  long long wrong(const std::vector<long long> &numbers) {
    if (array.storage && vector.size() != numbers.size())
      return 1;
    long long wrong = 0;
    for (size_t i = 0; i < numbers.size(); ++i) {
      Element expected;
      setElement(&expected, numbers[i], number);
      wrong += std::memcmp(data() + i, &expected, sizeof(Element)) != 0;
    }
    return wrong;
  }
};

inline Shape randomShape(Random &random, int ranks) {
  static const long long lengths[] = {0, 1, 2, 3, 7, 13, 61, 97, 128, 500};
  Shape shape;
  shape.dimensions = 1 + unsigned(random.below(2));
  shape.gridDimensions = shape.dimensions == 2 ? 1 + unsigned(random.below(2)) : 1;
  shape.grid[0] = ranks;
  if (shape.gridDimensions == 2) {
    do
      shape.grid[0] = 1 + random.below(ranks);
    while (ranks % shape.grid[0]);
    shape.grid[1] = ranks / shape.grid[0];
  }
  for (unsigned d = 0; d < shape.dimensions; ++d)
    shape.extents[d] = lengths[random.below(shape.dimensions == 1 ? 10 : 8)];
  if (shape.dimensions == 1 && random.below(4) == 0)
    shape.extents[0] = 1009 + random.below(30000);
  return shape;
}

template <typename First, typename Second>
void runChainOf(Random &random, MPI_Comm communicator, Totals &totals) {
  int rank, ranks;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_size(communicator, &ranks);
  const Shape shape = randomShape(random, ranks);
  TestArray<First> a(0, random.below(2));
  TestArray<Second> b(1, random.below(2));
  sendwright_array *arrays[] = {&a.array, &b.array};
  const unsigned long count = 1 + (unsigned long)random.below(2);
  static sendwright_site site = {"random.cpp", "main", 7, 0, 0, 0, nullptr};
  sendwright_processors onto = {
      "P", &communicator, shape.gridDimensions, {shape.grid[0], shape.grid[1]}};
  const Layout layout = randomLayout(random, shape, random.below(2));
  sendwright_distribution distribution;
  fillDistribution(distribution, layout, shape);
  std::vector<long long> numbers = owned(layout, shape, rank);
  sendwright_distribute(&site, &a.array, &onto, &distribution);
  sendwright_distribute(&site, &b.array, &onto, &distribution);
  a.fill(numbers), b.fill(numbers);
  for (int step = 0; step < 4; ++step) {
    const Layout next = randomLayout(random, shape, random.below(2));
    fillDistribution(distribution, next, shape);
    sendwright_redistribute(&site, unsigned(random.below(5)), nullptr, count, arrays,
                            &distribution);
    const std::vector<long long> before = numbers;
    numbers = owned(next, shape, rank);
    const long long wrong = a.wrong(numbers) + (count > 1 ? b.wrong(numbers) : 0);
    if (wrong)
      std::fprintf(stderr, "rank %d of %d: %lld wrong: extents %lld %lld, kinds %u %u\n", rank,
                   ranks, wrong, shape.extents[0], shape.extents[1], next.kind[0], next.kind[1]);
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
