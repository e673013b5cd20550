/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Fast Fourier transforms, one after another. Rank 0 deals the points; in each of the first stages
 * a rank exchanges all of its points with one partner, both sending before they receive; the rest
 * is local. At the end every rank compares results of its own with the sum that defines them.
 *
 *   fourier-transform [POINTS [TRANSFORMS]]     points of a rank (a power of two), by default 8
 * 2250 */

#include "example.h"

#include <math.h>

enum { deal_tag = 1, stage_tag };

typedef struct {
  double real, imaginary;
} Complex;

static const double pi = 3.141592653589793;

static Complex input(int point, int transform) {
  Complex value = {sin(0.7 * point + transform % 17), cos(1.3 * point * (1 + transform % 5))};
  return value;
}

static Complex turn(Complex value, int part, int whole) {
  double angle = -2 * pi * part / whole;
  Complex result = {value.real * cos(angle) - value.imaginary * sin(angle),
                    value.real * sin(angle) + value.imaginary * cos(angle)};
  return result;
}

static Complex sum(Complex a, Complex b) {
  Complex result = {a.real + b.real, a.imaginary + b.imaginary};
  return result;
}

static Complex difference(Complex a, Complex b) {
  Complex result = {a.real - b.real, a.imaginary - b.imaginary};
  return result;
}

/* The stages in which the two points of a butterfly lie on different ranks. */
static void remote_stages(Complex *own, Complex *other, int count, int rank, int ranks) {
  int length = count * ranks;
  for (int bit = ranks / 2; bit > 0; bit /= 2, length /= 2) {
    int partner = rank ^ bit, lower = !(rank & bit);
    MPI_Send(own, 2 * count, MPI_DOUBLE, partner, stage_tag, MPI_COMM_WORLD);
    MPI_Recv(other, 2 * count, MPI_DOUBLE, partner, stage_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) {
      int place = (int)((long long)rank * count + i) % length;
      own[i] = lower ? sum(own[i], other[i])
                     : turn(difference(other[i], own[i]), place - length / 2, length);
    }
  }
}

static void local_stages(Complex *own, int count) {
  for (int length = count; length > 1; length /= 2)
    for (int start = 0; start < count; start += length)
      for (int i = start; i < start + length / 2; ++i) {
        Complex a = own[i], b = own[i + length / 2];
        own[i] = sum(a, b);
        own[i + length / 2] = turn(difference(a, b), i - start, length);
      }
}

static int reversed(int number, int length) {
  int result = 0;
  for (; length > 1; length /= 2, number /= 2)
    result = 2 * result + number % 2;
  return result;
}

/* The largest error of the rank's first and last result. */
static double error_of(const Complex *own, int count, int rank, int ranks, int transform) {
  int length = count * ranks, places[2] = {0, count - 1};
  double largest = 0;
  for (int k = 0; k < 2; ++k) {
    int frequency = reversed(rank * count + places[k], length);
    Complex expected = {0, 0};
    for (int point = 0; point < length; ++point)
      expected = sum(expected, turn(input(point, transform),
                                    (int)((long long)point * frequency % length), length));
    double error =
        hypot(own[places[k]].real - expected.real, own[places[k]].imaginary - expected.imaginary);
    if (error > largest)
      largest = error;
  }
  return largest;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int count = size_argument(argc, argv, 1, 8), transforms = size_argument(argc, argv, 2, 2250);
  require((ranks & (ranks - 1)) == 0 && (count & (count - 1)) == 0,
          "expected powers of two, of ranks and of points");
  Complex *own = allocate((size_t)count, sizeof(Complex));
  Complex *other = allocate((size_t)count, sizeof(Complex));
  for (int transform = 0; transform < transforms; ++transform) {
    for (int to = 1; rank == 0 && to < ranks; ++to) {
      for (int i = 0; i < count; ++i)
        other[i] = input(to * count + i, transform);
      MPI_Send(other, 2 * count, MPI_DOUBLE, to, deal_tag, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 0 && i < count; ++i)
      own[i] = input(i, transform);
    if (rank > 0)
      MPI_Recv(own, 2 * count, MPI_DOUBLE, 0, deal_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    remote_stages(own, other, count, rank, ranks);
    local_stages(own, count);
  }
  require(error_of(own, count, rank, ranks, transforms - 1) < 1e-9 * count * ranks,
          "the transform differs from the sum that defines it");
  if (rank == 0)
    printf("fourier-transform: %d points, %d transforms, mean %.17g, checked\n", count * ranks,
           transforms, own[0].real / (count * ranks));
  free(own);
  free(other);
  MPI_Finalize();
  return 0;
}
