// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which loops it is proved that a blocking send needs no copy. Each loop that is refused the
// proof overwrites, or may overwrite, what it sends.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

bool isStable(const std::string &function, Language language = Language::C,
              const std::vector<std::string> &arguments = {}) {
  LoopVerdict verdict = judge(function, language, nullptr, arguments);
  EXPECT_TRUE(verdict.mayReachMpi);
  EXPECT_FALSE(verdict.refusal) << verdict.refusal->reason;
  return verdict.stableBuffers;
}

// A loop over `i` in a function with a pointer `b` and with what `declarations` brings.
bool isStableBody(const std::string &body, const std::string &declarations = "",
                  const std::string &before = "", Language language = Language::C) {
  return isStable(before + "\nvoid exchange(int n, const int *to, double *b, MPI_Comm c) {\n" +
                      declarations + "\nint i; for (i = 0; i < n; i++) {" + body + "} }",
                  language);
}

TEST(LegalityBuffer, PlainSends) {
  EXPECT_TRUE(isStableBody("MPI_Send(b + i, 1, MPI_DOUBLE, to[i], 0, c);"));
}

TEST(LegalityBuffer, RunningPointer) {
  EXPECT_TRUE(isStableBody("int n = to[i]; MPI_Send(p, n, MPI_DOUBLE, i, 0, c); p += n;",
                           "double *p = b;"));
}

TEST(LegalityBuffer, GuardsAndCounters) {
  EXPECT_TRUE(isStableBody(
      "if (to[i] == 3) continue; k++; MPI_Send(b, k, MPI_DOUBLE, to[i], 0, c);", "int k = 0;"));
}

TEST(LegalityBuffer, CounterWhoseAddressIsSent) {
  EXPECT_FALSE(isStableBody("k++; MPI_Send(&k, 1, MPI_INT, to[i], 0, c);", "int k = 0;"));
}

TEST(LegalityBuffer, CounterWhoseAddressIsTaken) {
  EXPECT_FALSE(
      isStableBody("k++; MPI_Send(p, 1, MPI_INT, to[i], 0, c);", "int k = 0; int *p = &k;"));
}

TEST(LegalityBuffer, CounterWhoseAddressGoesToMpiQueries) {
  EXPECT_TRUE(
      isStableBody("MPI_Comm_size(c, &k); MPI_Send(b, k, MPI_DOUBLE, to[i], 0, c);", "int k;"));
}

TEST(LegalityBuffer, GlobalCounter) {
  EXPECT_FALSE(isStableBody("g++; MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "", "int g;"));
}

TEST(LegalityBuffer, PackingIntoTheBuffer) {
  EXPECT_FALSE(isStableBody("b[0] = i; MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);"));
  EXPECT_FALSE(
      isStableBody("*p++ = i; MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "double *p = b;"));
  EXPECT_FALSE(isStableBody("memcpy(b, b + 1, 8); MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "",
                            "#include <string.h>"));
}

TEST(LegalityBuffer, StoreIntoAnotherNamedArray) {
  EXPECT_TRUE(isStableBody("log[i] = i; MPI_Send(own, 1, MPI_DOUBLE, to[i], 0, c);",
                           "static double log[9], own[9]; printf(\"%p %p\", log, own);",
                           "#include <stdio.h>"));
  EXPECT_FALSE(
      isStableBody("own[i] = i; MPI_Send(own, 1, MPI_DOUBLE, to[i], 0, c);", "double own[9];"));
}

TEST(LegalityBuffer, LocalArrayThatIsNeverPassedOn) {
  EXPECT_TRUE(isStableBody("seen[to[i]]++; MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);",
                           "int seen[9] = {0};"));
}

TEST(LegalityBuffer, NonblockingSendsNeedNoProof) {
  EXPECT_TRUE(
      isStableBody("MPI_Isend(b, 1, MPI_DOUBLE, to[i], 0, c, &r[i]);", "MPI_Request r[9];"));
}

TEST(LegalityBuffer, RequestsBesideBlockingSends) {
  const char *body = "MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);"
                     "MPI_Isend(b, 1, MPI_DOUBLE, to[i], 0, c, &r[i]);";
  EXPECT_TRUE(isStableBody(body, "MPI_Request r[9];"));
  EXPECT_TRUE(isStableBody(body, "MPI_Request *r = requests;", "extern MPI_Request *requests;"));
}

TEST(LegalityBuffer, RequestsBesideBytes) {
  EXPECT_FALSE(isStable("void exchange(int n, char *b, MPI_Request *r) {\n"
                        "  for (int i = 0; i < n; i++) { MPI_Send(b, 1, MPI_CHAR, i, 0, 0);\n"
                        "    MPI_Isend(b, 1, MPI_CHAR, i, 0, 0, &r[i]); } }"));
}

TEST(LegalityBuffer, RequestsThatAreNumbersBesideNumbers) {
  const char *source = "void exchange(int n, %s *b, MPI_Request *r) {\n"
                       "  for (int i = 0; i < n; i++) { MPI_Send(b, 1, MPI_INT, i, 0, 0);\n"
                       "    MPI_Isend(b, 1, MPI_INT, i, 0, 0, &r[i]); } }";
  std::string ints = source, doubles = source;
  EXPECT_FALSE(isStable(ints.replace(ints.find("%s"), 2, "int"), Language::C, {"-DMPICH"}));
  EXPECT_TRUE(isStable(doubles.replace(doubles.find("%s"), 2, "double"), Language::C, {"-DMPICH"}));
}

TEST(LegalityBuffer, PostedReceives) {
  EXPECT_FALSE(isStableBody(
      "MPI_Irecv(x, 1, MPI_DOUBLE, to[i], 0, c, &r[i]); MPI_Send(b, 1, MPI_DOUBLE, i, 0, c);",
      "MPI_Request r[9]; double *x = spare;", "extern double *spare;"));
  EXPECT_TRUE(isStableBody(
      "MPI_Irecv(x, 1, MPI_DOUBLE, to[i], 0, c, &r[i]); MPI_Send(y, 1, MPI_DOUBLE, i, 0, c);",
      "MPI_Request r[9]; static double x[9], y[9];"));
  EXPECT_FALSE(isStableBody(
      "MPI_Recv(b, 1, MPI_DOUBLE, to[i], 0, c, 0); MPI_Send(b, 1, MPI_DOUBLE, i, 0, c);"));
}

TEST(LegalityBuffer, OtherMpiCalls) {
  EXPECT_FALSE(
      isStableBody("MPI_Send(b, 1, MPI_DOUBLE, i, 0, c); MPI_Bcast(b, 1, MPI_DOUBLE, 0, c);"));
}

TEST(LegalityBuffer, EndOfLife) {
  EXPECT_FALSE(isStableBody("double own[2]; MPI_Send(own, 1, MPI_DOUBLE, to[i], 0, c);"));
  EXPECT_FALSE(isStableBody("double own[2], *p = own; MPI_Send(p, 1, MPI_DOUBLE, to[i], 0, c);"));
  EXPECT_FALSE(isStableBody("MPI_Send((double[]){1.0}, 1, MPI_DOUBLE, to[i], 0, c);"));
  EXPECT_FALSE(
      isStableBody("double *p = malloc(8); MPI_Send(p, 1, MPI_DOUBLE, to[i], 0, c); free(p);", "",
                   "#include <stdlib.h>"));
}

TEST(LegalityBuffer, EndOfLifeOfObjects) {
  EXPECT_FALSE(
      isStableBody("std::vector<double> v(9); MPI_Send(v.data(), 1, MPI_DOUBLE, to[i], 0, c);", "",
                   "#include <vector>", Language::Cxx));
  EXPECT_FALSE(
      isStableBody("double *p = new double; MPI_Send(p, 1, MPI_DOUBLE, to[i], 0, c); delete p;", "",
                   "", Language::Cxx));
}

TEST(LegalityBuffer, ElementsOfAVectorOutside) {
  EXPECT_TRUE(isStableBody("MPI_Send(&v[i], v.size(), MPI_DOUBLE, to[i], 0, c);", "",
                           "#include <vector>\nextern std::vector<double> v;", Language::Cxx));
}

TEST(LegalityBuffer, RequestsKeptInAVector) {
  EXPECT_TRUE(
      isStableBody("MPI_Request q; MPI_Isend(b, 1, MPI_DOUBLE, i, 0, c, &q); r.push_back(q);\n"
                   "MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);",
                   "", "#include <vector>\nextern std::vector<MPI_Request> r;", Language::Cxx));
}

TEST(LegalityBuffer, RangeFor) {
  EXPECT_TRUE(
      isStable("#include <vector>\nstruct Neighbour { int rank; double *b; };\n"
               "void exchange(const std::vector<Neighbour> &all) {\n"
               "  for (const auto &one : all) MPI_Send(one.b, 1, MPI_DOUBLE, one.rank, 0, 0); }",
               Language::Cxx));
}

TEST(LegalityBuffer, VisibleFunctions) {
  const char *call = "b[0] + f(b); MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);";
  EXPECT_TRUE(
      isStableBody(call, "", "static double f(double *x) { double y = *x; return y * y; }"));
  EXPECT_FALSE(isStableBody(call, "", "static double f(double *x) { return *x = 1; }"));
  EXPECT_FALSE(isStableBody(call, "",
                            "static double g(double *x) { return *x = 1; }\n"
                            "static double f(double *x) { return g(x); }"));
}

TEST(LegalityBuffer, FunctionsOfOtherUnits) {
  Plan plan;
  plan.functions["f"].writesMemory = false;
  const char *source =
      "void f(void); void exchange(int n, double *b) {\n"
      "  for (int i = 0; i < n; i++) { f(); MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }";
  EXPECT_TRUE(judge(source, Language::C, &plan).stableBuffers);
  plan.functions["f"].writesMemory = true;
  EXPECT_FALSE(judge(source, Language::C, &plan).stableBuffers);
}

TEST(LegalityBuffer, WrapperOfTheSend) {
  const char *wrapper = "static int put(const void *b, int n, int to)\n"
                        "{ return MPI_Send(b, n, MPI_DOUBLE, to, 0, 0); }";
  EXPECT_TRUE(isStableBody("put(p, 1, to[i]); p += 1;", "double *p = b;", wrapper));
  EXPECT_FALSE(isStableBody("double x[2]; put(x, 1, to[i]);", "", wrapper));
  EXPECT_FALSE(isStableBody("k++; put(&k, 1, to[i]);", "int k = 0;", wrapper));
}

TEST(LegalityBuffer, WrapperThatSendsItsOwnVariable) {
  EXPECT_FALSE(
      isStableBody("put(i);", "", "static void put(int x) { MPI_Send(&x, 1, MPI_INT, 0, 0, 0); }"));
  EXPECT_FALSE(isStableBody("put(i);", "",
                            "static void raw(const void *b) { MPI_Send(b, 1, MPI_INT, 0, 0, 0); }\n"
                            "static void put(int x) { raw(&x); }"));
}

TEST(LegalityBuffer, Windows) {
  const char *window = "int MPI_Win_create(void *);\nvoid open_window(double *b)";
  EXPECT_FALSE(isStableBody("MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "",
                            std::string(window) + "{ MPI_Win_create(b); }"));
  EXPECT_TRUE(
      isStableBody("MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "", std::string(window) + "{ }"));
}

TEST(LegalityBuffer, WindowsNamedByMpiHeadersAlone) {
  EXPECT_TRUE(isStableBody("MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "", "#include \"mpicxx.h\"",
                           Language::Cxx));
}

TEST(LegalityBuffer, RangeOverObjectsWithBuffers) {
  EXPECT_TRUE(
      isStable("#include <vector>\n"
               "struct Neighbour { int rank; std::vector<double> out; };\n"
               "void exchange(std::vector<Neighbour> &all) { for (auto &one : all)\n"
               "  if (!one.out.empty()) MPI_Send(one.out.data(), 1, MPI_DOUBLE, one.rank, 0, 0); }",
               Language::Cxx));
}

TEST(LegalityBuffer, CapturedByReference) {
  EXPECT_FALSE(
      isStable("void exchange(int n, double *b) { double x = 0;\n"
               "  auto f = [&] { return &x; };\n"
               "  for (int i = 0; i < n; i++) { x = i; MPI_Send(f(), 1, MPI_DOUBLE, i, 0, 0); } }",
               Language::Cxx));
}

TEST(LegalityBuffer, PartUnderANameOfItsOwn) {
  EXPECT_FALSE(isStable("struct Neighbour { int rank; double data[2]; };\n"
                        "void exchange(int n, const Neighbour *all) {\n"
                        "  for (int i = 0; i < n; i++) { auto [rank, data] = all[i];\n"
                        "    MPI_Send(data, 2, MPI_DOUBLE, rank, 0, 0); } }",
                        Language::Cxx));
}

TEST(LegalityBuffer, MpiCallWithoutAPrototype) {
  EXPECT_FALSE(isStable("int MPI_Mrecv(); void exchange(int n, double *b) {\n"
                        "  for (int i = 0; i < n; i++) { MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0);\n"
                        "    MPI_Mrecv(b, 1, MPI_DOUBLE, 0, 0); } }"));
}

TEST(LegalityBuffer, BoundToAReference) {
  EXPECT_FALSE(
      isStable("void exchange(int n) { double x = 0; const double &r = x;\n"
               "  for (int i = 0; i < n; i++) { x = i; MPI_Send(&r, 1, MPI_DOUBLE, i, 0, 0); } }",
               Language::Cxx));
}

} // namespace
