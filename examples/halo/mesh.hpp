// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An unstructured mesh to compute on: random points in the unit square, connected where they are
// close. Each rank has a random centre and gets the points nearest to it. Every rank generates the
// whole mesh from the same seed, so that it can also compute the serial result.

#ifndef MESH_HPP
#define MESH_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

struct Mesh {
  std::vector<std::vector<int>> neighbours; ///< of each vertex: others, ascending
  std::vector<int> owner;                   ///< rank of every vertex
};

/// Numbers that are the same on every machine (Steele, Lea and Flood's SplitMix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}
  double uniform() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

private:
  std::uint64_t state;
};

struct Point {
  double x, y;
};

inline double squaredDistance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// A mesh of `vertices` points on `ranks` ranks, with about `degree` neighbours each. O(vertices *
/// ranks) for the division; a grid of cells finds neighbours.
inline Mesh makeMesh(int vertices, int ranks, double degree, std::uint64_t seed) {
  Random random(seed);
  std::vector<Point> points(vertices), centres(ranks);
  for (Point &p : points)
    p = {random.uniform(), random.uniform()};
  for (Point &p : centres)
    p = {random.uniform(), random.uniform()};

  double radius = std::sqrt(degree / (3.14159265358979 * vertices));
  int cells = std::max(1, static_cast<int>(1 / radius));
  auto cellOf = [cells](double x) { return std::min(cells - 1, static_cast<int>(x * cells)); };
  std::vector<std::vector<int>> grid(static_cast<std::size_t>(cells) * cells);
  for (int v = 0; v < vertices; ++v)
    grid[cellOf(points[v].x) * cells + cellOf(points[v].y)].push_back(v);

  Mesh mesh;
  mesh.neighbours.resize(vertices);
  for (int v = 0; v < vertices; ++v) {
    int cx = cellOf(points[v].x), cy = cellOf(points[v].y);
    for (int x = std::max(0, cx - 1); x <= std::min(cells - 1, cx + 1); ++x)
      for (int y = std::max(0, cy - 1); y <= std::min(cells - 1, cy + 1); ++y)
        for (int w : grid[x * cells + y])
          if (w != v && squaredDistance(points[v], points[w]) < radius * radius)
            mesh.neighbours[v].push_back(w);
    std::sort(mesh.neighbours[v].begin(), mesh.neighbours[v].end());
    auto nearer = [&](Point a, Point b) {
      return squaredDistance(points[v], a) < squaredDistance(points[v], b);
    };
    auto nearest = std::min_element(centres.begin(), centres.end(), nearer);
    mesh.owner.push_back(static_cast<int>(nearest - centres.begin()));
  }
  return mesh;
}

#endif
