// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/unit/DefinedNames.h"

#include <gtest/gtest.h>

#include <string>

namespace sendwright {
namespace {

bool definesValue(const std::string &text) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus17 = language.LineComment = language.Bool = true;
  llvm::StringSet<> names;
  names.insert("value");
  return mayDefine(text, language, names);
}

TEST(DefinedNames, FindsDefinitions) {
  EXPECT_TRUE(definesValue("double value(int x) { return x; }"));
  EXPECT_TRUE(definesValue("double Grid::value(int x) const noexcept\n{\n return x; }"));
  EXPECT_TRUE(definesValue("auto value(int x) -> double { return x; }"));
  EXPECT_TRUE(definesValue("template <> double value<int>(int x) { return x; }"));
  EXPECT_TRUE(definesValue("namespace a { class B { public: double value() { return 1; } }; }"));
  EXPECT_TRUE(definesValue("value::value(int x) : member(x), other{1} {}"));
  EXPECT_TRUE(definesValue("value::value(int x) try : member(x) {} catch (...) {}"));
  EXPECT_TRUE(definesValue("struct value { int x = 1; };"));
  EXPECT_TRUE(definesValue("value::value() = default;"));
  EXPECT_TRUE(definesValue("void (*value(int x))(int) { return nullptr; }"));
  EXPECT_TRUE(
      definesValue("int first(int x) { if (x) { x = 2; } return x; } int value() { return 1; }"));
  EXPECT_TRUE(definesValue("double value(int x = []{ return 1; }()) { return x; }"));
}

TEST(DefinedNames, FindsWhatMacrosMayDefine) {
  EXPECT_TRUE(definesValue("#define NAME value\ndouble NAME(int x) { return x; }"));
  EXPECT_TRUE(definesValue("DEFINE(double, value) { return 1; }"));
  EXPECT_TRUE(definesValue("GETTER(double, value);"));
  EXPECT_TRUE(definesValue("namespace a { class B { public: GETTER(double, value); }; }"));
  EXPECT_TRUE(definesValue("GETTER(double, value)\nint other;"));
  EXPECT_TRUE(definesValue("#define DEFINE(T) \\\n  T value() { return 1; }\nDEFINE(int)"));
}

TEST(DefinedNames, LeavesUses) {
  EXPECT_FALSE(definesValue("double f(const Grid &g) { return g.value(0) / g.size(); }"));
  EXPECT_FALSE(definesValue("double f(Grid *g) { if (g->value(0) > 1) { return 2; } return 1; }"));
  EXPECT_FALSE(definesValue(
      "int f() { for (int x = value(1); x < value(2); ++x) { use(x); } return value(3); }"));
  EXPECT_FALSE(definesValue(
      "int f() { while (value(1)) { use(); } do { use(); } while (value(2)); return 1; }"));
  EXPECT_FALSE(definesValue("int f() { switch (value(1)) { case 1: value(2); } return 1; }"));
  EXPECT_FALSE(definesValue("int f() { int value = 1; print(value); return value + 1; }"));
  EXPECT_FALSE(definesValue("double value(int x);\nint f() { return 1; }"));
  EXPECT_FALSE(definesValue("// double value() {\nconst char *text = \"value() {\";"));
  EXPECT_FALSE(definesValue("int values() { return 1; }"));
  EXPECT_FALSE(definesValue("#if value\nint f() { return 1; }\n#endif"));
}

// A directive leaves a parenthesis open as far as the text shows: whatever follows may be anything.
TEST(DefinedNames, IsNotMisledByDirectives) {
  EXPECT_TRUE(definesValue("void f() {\n#if A\n if (a(\n#else\n if (b(\n#endif\n 1)) { } }\n"
                           "int value() { return 1; }"));
  EXPECT_TRUE(definesValue("}\n} int value() { return 1; }"));
}

} // namespace
} // namespace sendwright
