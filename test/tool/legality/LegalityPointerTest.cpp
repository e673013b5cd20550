// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers: which are left to the runtime, and what it is told about the functions
// they may lead to.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

/// A loop with BODY over `i` in a function with a pointer `send` and a table `operations`.
LoopVerdict judgeBody(const std::string &body, Language language = Language::Cxx) {
  return judge("typedef int (*Send)(const double *, int);\n"
               "struct Operations { Send send; };\n"
               "void exchange(int n, const double *b, Send send, struct Operations *operations) {\n"
               "  for (int i = 0; i < n; i++) { " +
                   body + " } }",
               language);
}

std::string symbolsIn(const std::string &source, Language language = Language::C) {
  std::string symbols;
  for (const auto &[symbol, target] : callTargets(source, language))
    symbols += (symbols.empty() ? "" : " ") + symbol + (target.known ? "" : "?");
  return symbols;
}

TEST(LegalityPointer, InTheLoopsOwnTextIsTheRuntimesToJudge) {
  for (const char *body : {"send(b, i);", "(*send)(b, i);", "operations->send(b, i);",
                           "(i ? send : operations->send)(b, i);", "operations[i].send(b, i);"})
    for (const Language language : {Language::C, Language::Cxx}) {
      const LoopVerdict verdict = judgeBody(body, language);
      EXPECT_FALSE(verdict.refusal) << body;
      EXPECT_EQ(verdict.indirect.size(), 1u) << body;
      EXPECT_TRUE(verdict.mayReachMpi) << body;
      EXPECT_FALSE(verdict.stableBuffers) << body;
    }
}

TEST(LegalityPointer, AReferenceToAFunctionIsOne) {
  EXPECT_EQ(
      judgeBody("int (&reference)(const double *, int) = *send; reference(b, i);").indirect.size(),
      1u);
}

TEST(LegalityPointer, KnownTargetsNeedNoCheck) {
  EXPECT_TRUE(judge("static int put(int i) { return i; }\n"
                    "void exchange(int n) { for (int i = 0; i < n; i++) { (*&put)(i);\n"
                    "  MPI_Send(0, 0, MPI_INT, i, 0, 0); } }",
                    Language::C)
                  .indirect.empty());
}

/// Why the loop that calls `fill` as CALLS say is left, where DEFINED defines `fill` and the
/// functions it may be given.
std::string refusalWith(const std::string &defined, const std::string &calls) {
  return refusal("#include <unistd.h>\nextern volatile int ready;\n"
                 "static int plain(int i) { return i; }\n"
                 "static int nap(int i) { return usleep(i); }\n"
                 "static int flag(int i) { return i && ready; }\n" +
                     defined +
                     "\nvoid exchange(int n, int (*given)(int)) {\n"
                     "  for (int i = 0; i < n; i++) { " +
                     calls + "; MPI_Send(&i, 1, MPI_INT, i, 0, 0); } }",
                 Language::C);
}

TEST(LegalityPointer, WhatIsPassedToAStaticFunctionIsKnown) {
  const std::string fill = "static int fill(int k, int (*value)(int)) {\n"
                           "  int sum = 0; for (int i = 0; i < k; i++) sum += (*value)(i);\n"
                           "  return sum; }\n";
  EXPECT_EQ(refusalWith(fill, "fill(i, plain)"), "");
  EXPECT_EQ(refusalWith(fill, "fill(i, i ? &plain : plain)"), "");
  EXPECT_EQ(refusalWith(fill + "static int twice(int (*of)(int)) { return fill(2, of); }",
                        "twice(plain)"),
            "");
  EXPECT_EQ(refusalWith(fill, "fill(i, plain); fill(i, nap)"),
            "calls fill, which calls usleep, which may wait outside MPI");
  EXPECT_EQ(refusalWith(fill, "fill(i, flag)"), "calls fill, which reads the volatile 'ready'");
  EXPECT_EQ(refusalWith("static void wait(int (*done)(int)) { while (!done(1)) ; }", "wait(plain)"),
            "calls wait, which spins on 'done', which the loop does not change");
}

TEST(LegalityPointer, WhatElseMayBePassedIsNot) {
  const std::string head = "fill(int k, int (*value)(int)) { return value(k); }\n",
                    fill = "static int " + head;
  const std::string unknown = "calls fill, which calls through a function pointer";
  EXPECT_EQ(refusalWith("int " + head, "fill(i, plain)"), unknown);
  EXPECT_EQ(refusalWith(fill, "fill(i, given)"), unknown);
  EXPECT_EQ(refusalWith(fill + "int other(int (*f)(int)) { return fill(1, f); }", "fill(i, plain)"),
            unknown);
  EXPECT_EQ(refusalWith(fill + "int (*leak)(int, int (*)(int)) = fill;", "fill(i, plain)"),
            unknown);
  EXPECT_EQ(refusalWith(fill + "int alias(int, int (*)(int)) __attribute__((alias(\"fill\")));",
                        "fill(i, plain)"),
            unknown);
  EXPECT_EQ(refusalWith("static int (*later)(int);\nstatic int fill(int k, int (*value)(int)) {\n"
                        "  if (k > 1) value = later; return value(k); }",
                        "fill(i, plain)"),
            unknown);
}

TEST(LegalityPointer, VirtualFunctionsAreTheRuntimesToJudge) {
  const std::string classes = "struct Base { virtual void put(int) = 0; void all(int); };\n"
                              "struct Last final : Base { void put(int) override {} };\n"
                              "void exchange(int n, Base *base, Last &last) {\n"
                              "  for (int i = 0; i < n; i++) { ";
  EXPECT_EQ(judge(classes + "base->put(i); } }", Language::Cxx).indirect.size(), 1u);
  EXPECT_TRUE(judge(classes + "last.put(i); } }", Language::Cxx).indirect.empty());
}

TEST(LegalityPointer, MembersThatPointersLeadToAreTheRuntimesToJudge) {
  const std::string begin = "struct C { void put(int); };\n"
                            "void exchange(int n, C &c, C *p, void (C::*member)(int)) {\n"
                            "  for (int i = 0; i < n; i++) ";
  EXPECT_EQ(judge(begin + "(c.*member)(i); }", Language::Cxx).indirect.size(), 1u);
  EXPECT_EQ(judge(begin + "(p->*member)(i); }", Language::Cxx).indirect.size(), 1u);
  EXPECT_EQ(refusal("struct C { void put(int); };\nstatic void call(C &c, void (C::*member)(int)) "
                    "{ (c.*member)(1); }\nvoid exchange(int n, C &c, void (C::*member)(int)) {\n"
                    "  for (int i = 0; i < n; i++) call(c, member); }",
                    Language::Cxx),
            "calls call, which calls through a pointer to a member");
}

TEST(LegalityPointer, VirtualTargets) {
  // In the unit with the table, found by the first function that is not inline or by a constructor.
  EXPECT_EQ(symbolsIn("struct Here { virtual void key(int); virtual void other(int) {} };\n"
                      "void Here::key(int) {}\n"
                      "struct Elsewhere { virtual void key(int); virtual void other(int) {} };\n"
                      "struct Used { virtual void f(int) {} virtual void g(int) = 0; };\n"
                      "struct User : Used { void g(int) override {} }; User user;\n"
                      "struct Unused { virtual void f(int) {} };",
                      Language::Cxx),
            "_ZN4Here3keyEi _ZN4Here5otherEi _ZN4Used1fEi _ZN4User1gEi");
}

TEST(LegalityPointer, OtherUnknownCallsAreRefused) {
  EXPECT_NE(refusal("#include <functional>\nvoid exchange(int n, std::function<void(int)> f) {\n"
                    "  for (int i = 0; i < n; i++) f(i); }",
                    Language::Cxx),
            "");
  EXPECT_EQ(judgeBody("[&] { send(b, i); }();").refusal->reason,
            "calls a lambda that calls through a function pointer");
}

TEST(LegalityPointer, TargetsAreFunctionsWhoseAddressIsTaken) {
  EXPECT_EQ(symbolsIn("static int put(int i) { return i; } static int direct(int i) { return i; }\n"
                      "int get(int i) { return direct(i); } int other(int);\n"
                      "int (*table[])(int) = {put, get, &other};"),
            "get other? put");
  EXPECT_EQ(symbolsIn("int put(int i) { return i; } int other(int);\n"
                      "int (*choose(int k))(int) { return k ? put : other; }\n"
                      "int (*unused)(void) = 0; int size = sizeof(&other);"),
            "other? put");
}

TEST(LegalityPointer, TargetsOfWhatIsEmittedAlone) {
  // The program may lack what `debug` needs.
  EXPECT_EQ(symbolsIn("static int debug(int i) { int missing(int); return missing(i); }\n"
                      "static int (*const never[])(int) = {debug};\n"
                      "static void unused(int (**to)(int)) { *to = debug; }\n"
                      "void choose(int (**to)(int)) { if (0) *to = debug; 0 && (*to = debug); }"),
            "");
  EXPECT_EQ(symbolsIn("static int put(int i) { return i; }\n"
                      "static int (*const table[])(int) = {put};\n"
                      "static int (*find(int k))(int) { return table[k]; }\n"
                      "int call(int k) { return find(k)(k); }"),
            "put");
}

TEST(LegalityPointer, TargetsOfCxx) {
  EXPECT_EQ(symbolsIn("struct C { static int put(int i) { return i; } int method(int); };\n"
                      "namespace { int hidden(int i) { return i; } }\n"
                      "template <class T> int generic(T i) { return i; }\n"
                      "int (*table[])(int) = {C::put, hidden, generic<int>};\n"
                      "int (C::*member)(int) = &C::method;\n"
                      "int (*lambda)(int) = [](int i) { return i; };",
                      Language::Cxx),
            "_Z7genericIiEiT_ _ZN12_GLOBAL__N_16hiddenEi _ZN1C3putEi _ZN1C6methodEi?");
}

TEST(LegalityPointer, FactsOfTargets) {
  const auto targets = callTargets(
      "#include <unistd.h>\n#include <stdlib.h>\n#include <string.h>\nvoid other(int);\n"
      "static int flag(void) { extern volatile int ready; return ready; }\n"
      "static void put(int i) { other(i); }\nstatic void nap(int i) { usleep(i); }\n"
      "void *table[] = {(void *)flag, (void *)put, (void *)nap, (void *)MPI_Send, (void *)free,\n"
      "  (void *)qsort, (void *)sleep, (void *)PMPI_Send};",
      Language::C);
  EXPECT_EQ(targets.at("flag").facts.reason, "reads the volatile 'ready'");
  EXPECT_EQ(targets.at("put").facts.callees, std::vector<std::string>{"other"});
  EXPECT_FALSE(targets.at("put").facts.mayWait);
  EXPECT_EQ(targets.at("nap").facts.reason, "calls usleep, which may wait outside MPI");
  EXPECT_TRUE(targets.at("MPI_Send").known && targets.at("MPI_Send").facts.reachesMpi);
  EXPECT_FALSE(targets.at("MPI_Send").facts.mayWait || targets.at("free").facts.mayWait);
  for (const char *unknown : {"qsort", "sleep", "PMPI_Send"})
    EXPECT_FALSE(targets.count(unknown)) << unknown;
}

} // namespace
