// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other units are told about a unit's functions.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

using Symbols = std::vector<std::string>;

TEST(LegalityFunctions, NamesOfTheLinker) {
  auto facts = functionFacts("extern \"C\" void plain() {}\n"
                             "namespace a { void inside(int) {} struct S { void method() {} };\n"
                             "inline int header() { return 1; }\n"
                             "template <class T> void generic(T) {} template void generic(int); }",
                             Language::Cxx);
  Symbols names;
  for (const auto &[symbol, fact] : facts)
    names.push_back(symbol);
  EXPECT_EQ(names, (Symbols{"_ZN1a1S6methodEv", "_ZN1a6headerEv", "_ZN1a6insideEi",
                            "_ZN1a7genericIiEEvT_", "plain"}));
}

TEST(LegalityFunctions, InternalFunctionsAreFoldedIn) {
  auto facts = functionFacts("#include <unistd.h>\nvoid other(void);\n"
                             "static void inner(void) { usleep(1); other(); }\n"
                             "void outer(void) { inner(); }",
                             Language::C);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts["outer"].mayWait);
  EXPECT_EQ(facts["outer"].reason, "calls usleep, which may wait outside MPI");
  EXPECT_EQ(facts["outer"].callees, Symbols{"other"});
}

TEST(LegalityFunctions, AnonymousNamespaceIsNotListed) {
  EXPECT_TRUE(functionFacts("namespace { void hidden() {} }", Language::Cxx).empty());
}

TEST(LegalityFunctions, CalleesOutsideTheUnit) {
  auto facts = functionFacts("void far_away(int); void own(void) {}\n"
                             "void caller(void) { far_away(1); own(); MPI_Comm_size(0, 0); }",
                             Language::Cxx);
  EXPECT_EQ(facts["_Z6callerv"].callees, Symbols{"_Z8far_awayi"});
  EXPECT_TRUE(facts["_Z6callerv"].reachesMpi);
  EXPECT_FALSE(facts["_Z6callerv"].mayWait);
  EXPECT_FALSE(facts["_Z3ownv"].reachesMpi);
}

TEST(LegalityFunctions, LibraryCallsAreNotListed) {
  auto facts = functionFacts("#include <stdio.h>\n#include <math.h>\n"
                             "double f(double x) { printf(\"%g\", x); return sqrt(x); }",
                             Language::C);
  EXPECT_TRUE(facts["f"].callees.empty());
  EXPECT_FALSE(facts["f"].mayWait);
  EXPECT_FALSE(facts["f"].writesMemory);
}

TEST(LegalityFunctions, Writes) {
  auto facts = functionFacts("void store(double *x) { *x = 1; }\n"
                             "double load(const double *x) { double y[2] = {*x, 1}; y[0] = 2;\n"
                             "  return y[0]; }\n"
                             "int count; void counts(void) { count++; }\n"
                             "void calls(double *x) { store(x); }",
                             Language::C);
  EXPECT_TRUE(facts["store"].writesMemory);
  EXPECT_FALSE(facts["load"].writesMemory);
  EXPECT_TRUE(facts["counts"].writesMemory);
  EXPECT_TRUE(facts["calls"].writesMemory);
}

TEST(LegalityFunctions, OwnVariableThatMayBeSent) {
  auto facts =
      functionFacts("void put(const void *);\nvoid wrap(int x) { put(&x); }\n"
                    "int inspect(const int *); int look(int x) { int *p = &x; return *p; }",
                    Language::C);
  EXPECT_TRUE(facts["wrap"].writesMemory);
  EXPECT_FALSE(facts["look"].writesMemory);
}

TEST(LegalityFunctions, ResultOfASharedRead) {
  auto facts = functionFacts("volatile int flag; int ready(void) { return flag; }\n"
                             "void touch(void) { flag; }",
                             Language::C);
  EXPECT_TRUE(facts["ready"].mayWait);
  EXPECT_EQ(facts["ready"].reason, "reads the volatile 'flag'");
  EXPECT_FALSE(facts["touch"].mayWait);
}

TEST(LegalityFunctions, Recursion) {
  auto facts = functionFacts("int odd(int k);\nint even(int k) { return k == 0 || odd(k - 1); }\n"
                             "int odd(int k) { return k != 0 && even(k - 1); }",
                             Language::C);
  EXPECT_FALSE(facts["even"].mayWait);
  EXPECT_FALSE(facts["odd"].writesMemory);
}

TEST(LegalityFunctions, InlineFunctionsOfMpiHeadersAreNotListed) {
  auto facts = functionFacts("#include \"mpicxx.h\"\nvoid f() { MPI::Finish(); }", Language::Cxx);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts.begin()->second.reachesMpi);
  EXPECT_FALSE(facts.begin()->second.mayWait);
}

TEST(LegalityFunctions, MethodsOfAClassOfTheLibraryAreNotListed) {
  auto facts = functionFacts("#include <vector>\nvoid f(std::vector<int> &v) { v.push_back(1); }",
                             Language::Cxx);
  EXPECT_EQ(facts.size(), 1u);
}

} // namespace
