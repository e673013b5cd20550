// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a wait may move over code with vectors, members and restricted pointers, and what is in its
// way: above all that names of memory stay the only ones that lead there.

#include "test/tool/ParsedSource.h"

#include "tool/transformations/completion/WaitMotion.h"

#include "clang/AST/RecursiveASTVisitor.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

class FirstWait : public clang::RecursiveASTVisitor<FirstWait> {
public:
  const clang::CallExpr *found = nullptr;

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getIdentifier() && callee->getName().starts_with("MPI_Wait"))
      found = call;
    return !found;
  }
};

/// "moves 2: REASON" or "stays: REASON" for the first wait of a program.
std::string motionOf(const std::string &source, Language language = Language::Cxx) {
  const auto unit = parse(source, language);
  FirstWait wait;
  wait.TraverseDecl(unit->getASTContext().getTranslationUnitDecl());
  EXPECT_NE(wait.found, nullptr) << source;
  if (!wait.found)
    return "";
  const WaitMotion motion = findMotion(*wait.found, unit->getASTContext());
  std::string reason = motion.obstacle;
  if (reason.starts_with("line ")) // which one depends on what stands in front
    reason = reason.substr(reason.find(' ', 5) + 1);
  return (motion.statements > 0 ? "moves " + std::to_string(motion.statements) : "stays") +
         (reason.empty() ? "" : ": " + reason);
}

const std::string vectors = "#include <array>\n#include <utility>\n#include <vector>\n";

/// A method of a class with vectors. `between`: from the receive to the wait; `after` it.
std::string method(const std::string &between, const std::string &after,
                   const std::string &members = "", const std::string &before = "") {
  return vectors + before + "struct Field { std::vector<double> inner, halo, row; int n; " +
         members + " void exchange(int to, MPI_Comm c) { MPI_Request r;\n" +
         "MPI_Irecv(halo.data(), n, MPI_DOUBLE, to, 0, c, &r);\n" + between +
         "\nMPI_Wait(&r, 0);\n" + after + "\n} };";
}

TEST(WaitMotion, PassesElementsOfOtherVectors) {
  EXPECT_EQ(motionOf(method("", "for (int i = 0; i < n; ++i) inner[i] *= row[i];")), "moves 1");
  EXPECT_EQ(motionOf(method("", "for (double &x : inner) x += 1;")), "moves 1");
  EXPECT_EQ(motionOf(method("", "n = inner.size();")), "moves 1");
  EXPECT_EQ(motionOf(method("", "edges[0] = scale[1];",
                            "double edges[2]; std::array<double, 2> scale;")),
            "moves 1");
}

TEST(WaitMotion, StopsAtWhatIsReceived) {
  EXPECT_EQ(motionOf(method("", "halo[0] = 1;")), "stays: uses 'halo', which it receives");
  EXPECT_EQ(motionOf(method("", "for (double &x : halo) x += 1;")),
            "stays: uses 'halo', which it receives");
  EXPECT_EQ(motionOf(method("", "n = halo.size();")), "stays: uses 'halo', which it receives");
  EXPECT_EQ(motionOf(method("", "inner[0] = 1; inner[1] = halo.front();")),
            "moves 1: uses 'halo', which it receives");
}

TEST(WaitMotion, VectorsMayNotExchangeTheirMemoryBeforeTheWait) {
  const std::string use = "inner[0] = 1;";
  const std::string may = ", which may exchange 'halo' for another";
  EXPECT_EQ(motionOf(method("std::swap(halo, inner);", use)), "stays: calls 'swap'" + may);
  EXPECT_EQ(motionOf(method("halo.swap(inner);", use)), "stays: calls 'swap'" + may);
  EXPECT_EQ(motionOf(method("inner = std::move(halo);", use)), "stays: calls 'operator='" + may);
  EXPECT_EQ(motionOf(method("std::vector<double> other(std::move(halo));", use)),
            "stays: calls a function" + may);
  EXPECT_EQ(motionOf(method("pack();", use, "void pack();")), "stays: calls 'pack'" + may);
  EXPECT_EQ(motionOf(method("auto f = [&] { std::swap(halo, inner); };", use)),
            "stays: calls a function" + may);
  EXPECT_EQ(motionOf(method("delete guard;", use, "struct Guard { ~Guard(); } *guard;")),
            "stays: calls a function" + may);
  EXPECT_EQ(motionOf(method("for (int i = 0; i < n; ++i) row[i] = inner[i];", use)), "moves 1");
}

TEST(WaitMotion, TheMessageBeginsInTheBlockOfTheWait) {
  const std::string before = vectors + "struct Field { std::vector<double> inner, halo; int n;\n";
  EXPECT_EQ(motionOf(before + "void f(MPI_Comm c) { MPI_Request r;\n"
                              "MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, c, &r);\n"
                              "if (n) { MPI_Wait(&r, 0); inner[0] = 1; } } };"),
            "stays: begins a message in another block than the wait's");
  EXPECT_EQ(motionOf(before + "void f(MPI_Comm c) { MPI_Request r; while (n--) {\n"
                              "MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, c, &r);\n"
                              "if (n == 3) continue;\n"
                              "MPI_Wait(&r, 0); inner[0] = 1; } } };"),
            "stays: may leave the block before the messages are complete");
}

TEST(WaitMotion, LocalVectorsMayBePassedToFunctionsOnlyIfTheyHoldNoMessage) {
  const std::string before = vectors + "void touch(std::vector<double> &);\n"
                                       "void f(int n, MPI_Comm c) { MPI_Request r;\n"
                                       "std::vector<double> halo(n), inner(n);\n"
                                       "MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, c, &r);\n";
  EXPECT_EQ(motionOf(before + "touch(inner); MPI_Wait(&r, 0); inner[0] = 1; }"), "moves 1");
  EXPECT_EQ(motionOf(before + "touch(halo); MPI_Wait(&r, 0); inner[0] = 1; }"),
            "stays: calls 'touch', which may exchange 'halo' for another");
}

TEST(WaitMotion, VectorsOfVectorsAreOneName) {
  const std::string before = vectors + "void f(int n, MPI_Comm c) { MPI_Request r;\n"
                                       "std::vector<std::vector<double>> halo(n), inner(n);\n"
                                       "MPI_Irecv(halo[2].data(), n, MPI_DOUBLE, 0, 0, c, &r);\n";
  EXPECT_EQ(motionOf(before + "MPI_Wait(&r, 0); inner[1][2] = 1; }"), "moves 1");
  EXPECT_EQ(motionOf(before + "MPI_Wait(&r, 0); halo[1][2] = 1; }"),
            "stays: uses 'halo', which it receives");
  EXPECT_EQ(motionOf(before + "halo[2].swap(inner[2]); MPI_Wait(&r, 0); inner[1][2] = 1; }"),
            "stays: calls 'swap', which may exchange 'halo' for another");
}

TEST(WaitMotion, OtherNamesOfTheSameObjectAreNoNames) {
  EXPECT_EQ(motionOf(vectors + "struct Field { std::vector<double> inner, halo; int n;\n"
                               "void f(MPI_Comm c); };\nextern Field twin;\n"
                               "void Field::f(MPI_Comm c) { MPI_Request r;\n"
                               "MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, c, &r);\n"
                               "MPI_Wait(&r, 0); twin.halo[0] = 1; }"),
            "stays: uses 'twin', which may lead to what it completes");
  EXPECT_EQ(motionOf(vectors + "void f(std::vector<double> &inner, int n, MPI_Comm c) {\n"
                               "std::vector<double> halo(n); MPI_Request r;\n"
                               "MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, c, &r);\n"
                               "MPI_Wait(&r, 0); inner[0] = 1; }"),
            "stays: uses 'inner', which may lead to what it completes");
  EXPECT_EQ(motionOf("union Both { double a[4], b[4]; void f(MPI_Comm c) { MPI_Request r;\n"
                     "MPI_Irecv(a, 4, MPI_DOUBLE, 0, 0, c, &r); MPI_Wait(&r, 0); b[0] = 1; } };"),
            "stays: may use memory that other pointers lead to");
  EXPECT_EQ(motionOf(method("", "*to_halo = 1;", "double *to_halo;")), "stays: changes a pointer");
}

TEST(WaitMotion, RestrictedParametersAreNamesIfTheyKeepTheirValue) {
  const auto function = [](const std::string &body) {
    return "void f(double *restrict halo, double *restrict inner, double *any, int n, MPI_Comm c) {"
           " MPI_Request r; MPI_Irecv(halo, n, MPI_DOUBLE, 0, 0, c, &r); MPI_Wait(&r, 0);\n" +
           body + " }";
  };
  EXPECT_EQ(motionOf(function("inner[0] = 1;"), Language::C), "moves 1");
  EXPECT_EQ(motionOf(function("any[0] = 1;"), Language::C),
            "stays: uses 'any', which may lead to what it completes");
  EXPECT_EQ(motionOf(function("inner[0] = 1; inner = any;"), Language::C),
            "stays: uses 'inner', which may lead to what it completes");
  EXPECT_EQ(motionOf(function("inner[0] = 1; any = halo;"), Language::C),
            "moves 1: changes a pointer");
}

TEST(WaitMotion, RequestsMayBeInAVector) {
  const auto function = [](const std::string &declaration, const std::string &before = "") {
    return vectors + "void f(int n, MPI_Request given, MPI_Comm c) { " + declaration +
           " double halo[8], inner[8]; MPI_Irecv(halo, 8, MPI_DOUBLE, 0, 0, c, &r[0]); " + before +
           " MPI_Waitall(r.size(), r.data(), 0); inner[0] = 1; }";
  };
  EXPECT_EQ(motionOf(function("std::vector<MPI_Request> r(2);")), "moves 1");
  EXPECT_EQ(motionOf(function("std::vector<MPI_Request> r; r.resize(n);")), "moves 1");
  EXPECT_EQ(motionOf(function("std::vector<MPI_Request> r(2, given);")),
            "stays: its requests begin with the values of others");
  EXPECT_EQ(motionOf(function("std::vector<MPI_Request> r(2);", "r[1] = given;")),
            "stays: uses its requests otherwise than in a call of MPI");
  EXPECT_EQ(motionOf(function("std::vector<MPI_Request> r(1);", "r.push_back(given);")),
            "stays: uses its requests otherwise than in a call of MPI");
}

TEST(WaitMotion, ARequestOfAnotherPlaceStays) {
  EXPECT_EQ(motionOf("void f(MPI_Request given) { MPI_Request r = given; double inner[8];\n"
                     "MPI_Wait(&r, 0); inner[0] = 1; }"),
            "stays: its requests begin with the values of others");
  EXPECT_EQ(motionOf("void f() { MPI_Request r; double inner[8]; MPI_Wait(&r, 0); inner[0] = 1; }"),
            "stays: no call in the function begins its messages");
}

} // namespace
