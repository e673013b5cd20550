// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "analysis/trace/Instantiation.h"

#include <gtest/gtest.h>

namespace sendwright {
namespace {

TEST(Instantiation, IsWhatTheCompilerSaysOfTemplateParameters) {
  EXPECT_EQ(instantiationIn("void Exchange<double, 1>::send() [Value = double, Stride = 1]"),
            "Value = double, Stride = 1");
  EXPECT_EQ(instantiationIn("void f(int (&)[3]) [T = int[3]]"), "T = int[3]");
  EXPECT_EQ(instantiationIn("int Box<int>::operator[](int) [T = int]"), "T = int");
  EXPECT_EQ(instantiationIn("void C<']'>::f() [C = ']']"), "C = ']'");
  EXPECT_EQ(instantiationIn("auto f()::(anonymous class)::operator()(auto) const [auto:1 = int]"),
            "auto:1 = int");
}

TEST(Instantiation, IsEmptyOutsideOfTemplates) {
  EXPECT_EQ(instantiationIn("int main(int, char **)"), "");
  EXPECT_EQ(instantiationIn("int Table::operator[](int)"), "");
  EXPECT_EQ(instantiationIn(""), "");
}

// Edits elsewhere in the file, a build in another folder, and what the plugin writes on a line move
// places; the instantiation stays the same.
TEST(Instantiation, DoesNotDependOnPlaces) {
  EXPECT_EQ(instantiationIn("void call(T) [T = (lambda at src/a b/q.cpp:62:8), N = 2]"),
            "T = (lambda in q.cpp), N = 2");
  EXPECT_EQ(instantiationIn("void f(A, B) [A = (unnamed struct at /x/(y)/a.hpp:5:1), "
                            "B = Box<(lambda at b.cpp:7:12)>]"),
            "A = (unnamed struct in a.hpp), B = Box<(lambda in b.cpp)>");
  EXPECT_EQ(instantiationIn("void f() [T = (looks at nothing)]"), "T = (looks at nothing)");
}

} // namespace
} // namespace sendwright
