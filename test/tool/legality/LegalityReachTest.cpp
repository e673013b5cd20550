// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops may reach MPI (generate mode marks them), and which send.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

LoopVerdict verdict(const std::string &body, const std::string &before = "",
                    Language language = Language::C) {
  return judge(before + "\nvoid exchange(int n, double *b) { for (int i = 0; i < n; i++) {" + body +
                   "} }",
               language);
}

TEST(LegalityReach, SendInTheText) {
  LoopVerdict loop = verdict("MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0);");
  EXPECT_TRUE(loop.mayReachMpi);
  EXPECT_TRUE(loop.sends);
}

TEST(LegalityReach, OtherMpiCall) {
  LoopVerdict loop = verdict("MPI_Recv(b, 1, MPI_DOUBLE, i, 0, 0, 0);");
  EXPECT_TRUE(loop.mayReachMpi);
  EXPECT_FALSE(loop.sends);
}

TEST(LegalityReach, Computation) {
  LoopVerdict loop = verdict("b[i] = sqrt(b[i]); printf(\"%g\", b[i]); memcpy(b, b + 1, 8);",
                             "#include <math.h>\n#include <stdio.h>\n#include <string.h>");
  EXPECT_FALSE(loop.mayReachMpi);
  EXPECT_FALSE(loop.sends);
}

TEST(LegalityReach, WaitsWithoutMpi) {
  EXPECT_FALSE(verdict("usleep(1);", "#include <unistd.h>").mayReachMpi);
}

TEST(LegalityReach, SendInAVisibleFunction) {
  LoopVerdict loop =
      verdict("outer(b, i);", "static void inner(double *b, int i)\n"
                              "{ MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); }\n"
                              "static void outer(double *b, int i) { inner(b, i); }");
  EXPECT_TRUE(loop.mayReachMpi);
  EXPECT_TRUE(loop.sends);
}

TEST(LegalityReach, FunctionOfAnotherUnit) {
  LoopVerdict loop = verdict("helper(b);", "void helper(double *);");
  EXPECT_TRUE(loop.mayReachMpi);
  EXPECT_FALSE(loop.sends);
}

TEST(LegalityReach, FunctionOfAnotherUnitThatThePlanKnows) {
  Plan plan;
  plan.functions["helper"].reachesMpi = false;
  const char *source = "void helper(double *); void exchange(int n, double *b) {\n"
                       "  for (int i = 0; i < n; i++) helper(b); }";
  EXPECT_FALSE(judge(source, Language::C, &plan).mayReachMpi);
  plan.functions["helper"].reachesMpi = true;
  EXPECT_TRUE(judge(source, Language::C, &plan).mayReachMpi);
}

TEST(LegalityReach, UnknownTargets) {
  EXPECT_TRUE(verdict("p(b);", "extern void (*p)(double *);").mayReachMpi);
  EXPECT_TRUE(verdict("o->f();", "struct O { virtual void f(); }; extern O *o;", Language::Cxx)
                  .mayReachMpi);
  EXPECT_TRUE(
      verdict("f();", "#include <functional>\nextern std::function<void()> f;", Language::Cxx)
          .mayReachMpi);
}

TEST(LegalityReach, LambdaPassedToAnAlgorithm) {
  EXPECT_TRUE(
      verdict("std::for_each(b, b + 3, [](double &x) { MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, 0); });",
              "#include <algorithm>", Language::Cxx)
          .sends);
  EXPECT_FALSE(verdict("std::sort(b, b + 3, [](double x, double y) { return x > y; });",
                       "#include <algorithm>", Language::Cxx)
                   .mayReachMpi);
}

TEST(LegalityReach, FunctionObjectOfTheProgram) {
  EXPECT_TRUE(verdict("std::for_each(b, b + 3, Sender());",
                      "#include <algorithm>\nstruct Sender { void operator()(double &x) const {\n"
                      "  MPI_Send(&x, 1, MPI_DOUBLE, 0, 0, 0); } };",
                      Language::Cxx)
                  .sends);
}

TEST(LegalityReach, Methods) {
  EXPECT_TRUE(verdict("Link(i).put(b);",
                      "struct Link { int to; explicit Link(int to) : to(to) {}\n"
                      "  void put(double *b) { MPI_Send(b, 1, MPI_DOUBLE, to, 0, 0); } };",
                      Language::Cxx)
                  .sends);
  EXPECT_TRUE(
      verdict("Flusher f;", "struct Flusher { ~Flusher() { MPI_Wait(0, 0); } };", Language::Cxx)
          .mayReachMpi);
  EXPECT_TRUE(
      verdict(
          "Chain() << b;",
          "struct Chain { void operator<<(double *b) { MPI_Send(b, 1, MPI_DOUBLE, 0, 0, 0); } };",
          Language::Cxx)
          .sends);
}

TEST(LegalityReach, ContainersOfTheLibrary) {
  EXPECT_FALSE(verdict("v.push_back(b[i]); m[i] += v[0]; s += std::to_string(i);",
                       "#include <vector>\n#include <map>\n#include <string>\n"
                       "static std::vector<double> v; static std::map<int, double> m;\n"
                       "static std::string s;",
                       Language::Cxx)
                   .mayReachMpi);
}

TEST(LegalityReach, TemplateThatSends) {
  EXPECT_TRUE(
      verdict("put(b, i);",
              "template <class T> void put(T *b, int i) { MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); }",
              Language::Cxx)
          .sends);
}

TEST(LegalityReach, OwnFunctionWithMpiInItsName) {
  EXPECT_FALSE(
      verdict("MPI_Nothing(i);", "static int MPI_Nothing(int i) { return i; }").mayReachMpi);
}

} // namespace
