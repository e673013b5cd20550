// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single edits: which comes first at one place, and the two texts of each.

#include "tool/source/Edit.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace sendwright;

namespace {

/// `opening` and `closing` around a range.
std::vector<Edit> around(TextRange range, const std::string &opening, const std::string &closing,
                         EditLayer layer = EditLayer::Scope) {
  return {{{range.begin, range.begin}, range, layer, opening, opening},
          {{range.end, range.end}, range, layer, closing, closing}};
}

std::vector<Edit> joined(std::initializer_list<std::vector<Edit>> lists) {
  std::vector<Edit> all;
  for (const std::vector<Edit> &list : lists)
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

/// The compiled text, which must not depend on the order in which edits are added.
std::string compiledInAnyOrder(const std::string &original, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit &a, const Edit &b) { return a.compiled < b.compiled; });
  const std::string text = edited(original, edits, &Edit::compiled);
  do
    EXPECT_EQ(edited(original, edits, &Edit::compiled), text);
  while (std::next_permutation(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
    return a.compiled < b.compiled;
  }));
  return text;
}

} // namespace

TEST(Edit, ARangeIsReplacedAndAnEmptyOneIsAnInsertion) {
  const std::vector<Edit> edits = {{{4, 7}, {4, 7}, EditLayer::Directive, "2", "two"},
                                   {{0, 0}, {0, 0}, EditLayer::Call, "0 ", "zero "},
                                   {{11, 11}, {11, 11}, EditLayer::Call, " 4", " four"}};
  EXPECT_EQ(edited("one two six", edits, &Edit::compiled), "0 one 2 six 4");
  EXPECT_EQ(edited("one two six", edits, &Edit::readable), "zero one two six four");
  EXPECT_EQ(edited("one", {}, &Edit::compiled), "one");
}

TEST(Edit, AtOnePlaceRangesAreClosedBeforeOthersAreOpened) {
  EXPECT_EQ(compiledInAnyOrder("ab", joined({around({0, 1}, "(", ")"), around({1, 2}, "[", "]")})),
            "(a)[b]");
}

TEST(Edit, RangesThatBeginTogetherNest) {
  EXPECT_EQ(compiledInAnyOrder("abc", joined({around({0, 3}, "(", ")"), around({0, 1}, "[", "]"),
                                              around({0, 2}, "{", "}")})),
            "({[a]b}c)");
}

TEST(Edit, RangesThatEndTogetherNest) {
  EXPECT_EQ(compiledInAnyOrder("abc", joined({around({2, 3}, "(", ")"), around({0, 3}, "[", "]"),
                                              around({1, 3}, "{", "}")})),
            "[a{b(c)}]");
}

TEST(Edit, OfOneRangeTheLayersNest) {
  EXPECT_EQ(compiledInAnyOrder("a", joined({around({0, 1}, "(", ")", EditLayer::Guard),
                                            around({0, 1}, "[", "]", EditLayer::Check),
                                            around({0, 1}, "{", "}", EditLayer::Scope)})),
            "{([a])}");
}

TEST(Edit, TheSameEditMayHaveAnotherText) {
  const Edit edit{{0, 0}, {0, 4}, EditLayer::Scope, "{ one;", "{ one;"};
  Edit other = edit;
  other.compiled = "{ two;";
  EXPECT_TRUE(edit.isSameAs(other));
  other.layer = EditLayer::Guard;
  EXPECT_FALSE(edit.isSameAs(other));
  other = edit;
  other.around.end = 5;
  EXPECT_FALSE(edit.isSameAs(other));
}

TEST(Edit, AScopeStaysOnTheLinesOfItsLoopOnlyForTheCompiler) {
  const std::string text = "  for (;;)\n    f();\n";
  const std::vector<Edit> edits = scopeAround(text, {2, 19}, "g();", {"first", "last"});
  EXPECT_EQ(edited(text, edits, &Edit::compiled), "  { g(); for (;;)\n    f(); }\n");
  EXPECT_EQ(edited(text, edits, &Edit::readable),
            "  /* first\n     last */\n  { g();\n  for (;;)\n    f();\n  }\n");
}

TEST(Edit, AGuardInAScopeOfTheSameLoopIsClosedFirst) {
  const std::string text = "for (;;) f();";
  const TextRange loop{0, 13};
  EXPECT_EQ(edited(text,
                   joined({guardAround(text, loop, "done()", "i = n;", {}),
                           scopeAround(text, loop, "g();", {})}),
                   &Edit::compiled),
            "{ g(); { if (!done()) { for (;;) f(); } else { i = n; } } }");
}

TEST(Edit, ACallIsPrecededByAStatementOrAnOperand) {
  const std::string text = "x = send();";
  EXPECT_EQ(edited(text, statementBefore(text, {0, 10}, "g()", {}), &Edit::compiled),
            "g(); x = send();");
  const std::vector<Edit> operand = operandBefore({4, 10}, "g()", {"why", "how"});
  EXPECT_EQ(edited(text, operand, &Edit::compiled), "x = (g(), send());");
  EXPECT_EQ(edited(text, operand, &Edit::readable), "x = (g() /* why; how */, send());");
}

TEST(Edit, ACheckedTextIsTheLastArgument) {
  EXPECT_EQ(edited("(*f)(1)", checkAround({0, 4}, "check(2, "), &Edit::compiled),
            "check(2, (*f))(1)");
}

TEST(Edit, StatementsInPlaceOfADirectiveKeepTheNumberOfLines) {
  const std::string text = "{\n#pragma hpf \\\n  x\n  f();\n}\n";
  const std::vector<Edit> edits = inPlaceOfDirective(text, {2, 19}, {"a();", "b();"}, {}, {"why"});
  EXPECT_EQ(edited(text, edits, &Edit::compiled), "{\na(); b();\n\n  f();\n}\n");
  EXPECT_EQ(edited(text, edits, &Edit::readable), "{\n  /* why */\n  a();\n  b();\n  f();\n}\n");
}

TEST(Edit, AScopeAroundADirectiveEndsBeforeTheDirectivesEnds) {
  const std::string text = "{\n#pragma hpf x\n  f();\n}\n";
  const TextRange directive{2, 15};
  const std::vector<Edit> edits =
      joined({inPlaceOfDirective(text, directive, {"a();", "b();"}, {"c();", "d();"}, {}),
              scopeAroundDirective(text, directive, "g();", {"why"})});
  EXPECT_EQ(edited(text, edits, &Edit::compiled), "{\n{ g(); a(); b(); } c(); d();\n  f();\n}\n");
  EXPECT_EQ(edited(text, edits, &Edit::readable), "{\n"
                                                  "  /* why */\n"
                                                  "  { g();\n"
                                                  "  a();\n"
                                                  "  b();\n"
                                                  "  }\n"
                                                  "  c();\n"
                                                  "  d();\n"
                                                  "  f();\n"
                                                  "}\n");
}

TEST(Edit, AScopeAroundAnIndentedDirectiveIsAsDeep) {
  const std::string text = "{\n  #pragma hpf x\n  f();\n}\n";
  const TextRange directive{4, 17};
  const std::vector<Edit> edits =
      joined({inPlaceOfDirective(text, directive, {"a();"}, {"c();"}, {}),
              scopeAroundDirective(text, directive, "g();", {})});
  EXPECT_EQ(edited(text, edits, &Edit::readable), "{\n  { g();\n  a();\n  }\n  c();\n  f();\n}\n");
}
