// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loops may not be deferred, and why; beside each is a similar loop that may.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

TEST(LegalityRefusal, PlainLoopIsFine) { EXPECT_EQ(refusalOfBody(""), ""); }

TEST(LegalityRefusal, CallsThatWait) {
  EXPECT_EQ(refusalOfBody("usleep(3);", "#include <unistd.h>"),
            "calls usleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfBody("char x; read(0, &x, 1);", "#include <unistd.h>"),
            "calls read, which may wait outside MPI");
  EXPECT_EQ(refusalOfBody("getchar();", "#include <stdio.h>"),
            "calls getchar, which may wait outside MPI");
  EXPECT_EQ(
      refusalOfBody("pthread_mutex_lock(&m);", "#include <pthread.h>\nstatic pthread_mutex_t m;"),
      "calls pthread_mutex_lock, which may wait outside MPI");
}

TEST(LegalityRefusal, LibraryCallsThatReturn) {
  EXPECT_EQ(refusalOfBody("b[0] = sqrt(fabs(b[0]));", "#include <math.h>"), "");
  EXPECT_EQ(refusalOfBody("double *t = malloc(8); memcpy(t, b, 8); free(t); printf(\"%d\", i);",
                          "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>"),
            "");
  EXPECT_EQ(refusalOfBody("assert(i >= 0); if (i < 0) exit(1);",
                          "#include <assert.h>\n#include <stdlib.h>"),
            "");
}

TEST(LegalityRefusal, PosixCallThatIsNotListed) {
  EXPECT_EQ(refusalOfBody("tcdrain(1);", "#include <termios.h>"),
            "calls tcdrain, which is not known to return at once");
}

TEST(LegalityRefusal, OwnHeaderNamedLikeOneOfTheSystem) {
  EXPECT_EQ(
      refusal(
          "#include <app/time.h>\nvoid exchange(int n, double *b) {\n"
          "  for (int i = 0; i < n; i++) { app_time(); MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }",
          Language::C, nullptr, {"-isystem", "/mock/include"}),
      "calls app_time, which was not compiled with the plugin");
}

TEST(LegalityRefusal, WeakFunction) {
  EXPECT_EQ(refusalOfBody("hook();", "__attribute__((weak)) void hook(void) {}"),
            "calls hook, which was not compiled with the plugin");
}

TEST(LegalityRefusal, CleanupAttribute) {
  EXPECT_EQ(refusalOfBody("__attribute__((cleanup(end))) int x = 0;",
                          "#include <unistd.h>\nstatic void end(int *x) { sleep(*x); }"),
            "calls end, which calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, MpiFunctionThatTheProgramDefines) {
  EXPECT_EQ(refusalOfBody("MPI_Comm_size(c, 0);",
                          "#include <unistd.h>\n"
                          "int MPI_Comm_size(MPI_Comm c, int *n) { sleep(1); return 0; }"),
            "calls MPI_Comm_size, which calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, OwnFunctionNamedLikeOneThatWaits) {
  EXPECT_EQ(refusalOfBody("connect(i);", "static void connect(int i) { (void)i; }"), "");
}

TEST(LegalityRefusal, MpiCallsNeverWaitOutside) {
  EXPECT_EQ(
      refusalOfBody("MPI_Recv(b, 1, MPI_DOUBLE, to[i], 0, c, 0); MPI_Bcast(b, 1, MPI_DOUBLE, 0, c);"
                    "if (i < 0) MPI_Abort(c, 1);"),
      "");
}

TEST(LegalityRefusal, ProfilingInterfacePassesByTheRuntime) {
  EXPECT_EQ(refusalOfBody("PMPI_Send(b, 1, MPI_DOUBLE, 0, 0, c);"),
            "calls PMPI_Send, which bypasses the runtime");
  EXPECT_EQ(refusalOfBody("int s; PMPI_Comm_size(c, &s);"), "");
}

TEST(LegalityRefusal, VisibleFunctionThatWaits) {
  EXPECT_EQ(refusalOfBody("outer();", "#include <unistd.h>\n"
                                      "static void inner(void) { sleep(1); }\n"
                                      "static void outer(void) { inner(); }"),
            "calls outer, which calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, VisibleFunctionThatReturns) {
  EXPECT_EQ(
      refusalOfBody("b[0] = scaled(b[0]);", "static double scaled(double x) { return 2 * x; }"),
      "");
}

TEST(LegalityRefusal, RecursionAlone) {
  const char *two = "static int odd(int k);\n"
                    "static int even(int k) { return k == 0 || odd(k - 1); }\n"
                    "static int odd(int k) { return k != 0 && even(k - 1); }";
  EXPECT_EQ(refusalOfBody("if (even(i)) continue;", two), "");
}

TEST(LegalityRefusal, RecursionThroughOneThatWaits) {
  const char *two = "#include <unistd.h>\nstatic int odd(int k);\n"
                    "static int even(int k) { return k == 0 || odd(k - 1); }\n"
                    "static int odd(int k) { pause(); return k != 0 && even(k - 1); }";
  EXPECT_EQ(refusalOfBody("if (even(i)) continue;", two),
            "calls even, which calls pause, which may wait outside MPI");
}

TEST(LegalityRefusal, FunctionPointerInACallee) {
  EXPECT_EQ(refusalOfBody("filled(b);", "static void (*fill)(double *);\n"
                                        "static void filled(double *b) { fill(b); }"),
            "calls filled, which calls through a function pointer");
}

TEST(LegalityRefusal, FunctionOfAnotherUnit) {
  EXPECT_EQ(refusalOfBody("helper(b);", "void helper(double *);"),
            "calls helper, which was not compiled with the plugin");
  EXPECT_EQ(refusalOfBody("near_by(b);", "void helper(double *);\n"
                                         "static void near_by(double *b) { helper(b); }"),
            "calls near_by, which calls helper, which was not compiled with the plugin");
}

TEST(LegalityRefusal, PureFunctionOfAnotherUnit) {
  EXPECT_EQ(refusalOfBody("b[0] = weight(i);", "double weight(int) __attribute__((const));"), "");
}

std::string withFacts(const FunctionFacts &facts) {
  Plan plan;
  plan.functions["helper"] = facts;
  return refusal(
      "void helper(double *);\nvoid exchange(int n, double *b) {\n"
      "  for (int i = 0; i < n; i++) { helper(b); MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }",
      Language::C, &plan);
}

TEST(LegalityRefusal, FactsOfAnotherUnit) {
  FunctionFacts facts;
  EXPECT_EQ(withFacts(facts), "");
  facts.mayWait = true;
  facts.reason = "calls usleep, which may wait outside MPI";
  EXPECT_EQ(withFacts(facts), "calls helper, which calls usleep, which may wait outside MPI");
}

TEST(LegalityRefusal, FactsOfWhatAnotherUnitCalls) {
  FunctionFacts facts;
  facts.callees = {"elsewhere"};
  EXPECT_EQ(withFacts(facts),
            "calls helper, which calls elsewhere, which was not compiled with the plugin");
}

TEST(LegalityRefusal, VolatileInLoopCondition) {
  EXPECT_EQ(refusalOfBody("while (flag) ;", "static volatile int flag;"),
            "reads the volatile 'flag' in a loop condition");
  EXPECT_EQ(
      refusalOfBody("int seen; do { seen = flag; } while (!seen);", "static volatile int flag;"),
      "reads the volatile 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("for (;;) { if (flag) break; }", "static volatile int flag;"),
            "reads the volatile 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while (!ready()) ;",
                          "static volatile int flag;\nstatic int ready(void) { return flag; }"),
            "reads the volatile 'flag' in a loop condition");
}

TEST(LegalityRefusal, VolatileInConditionOfTheLoopItself) {
  EXPECT_EQ(refusal("volatile int flag; void exchange(double *b) {\n"
                    "  while (!flag) MPI_Send(b, 1, MPI_DOUBLE, 0, 0, 0); }",
                    Language::C),
            "reads the volatile 'flag' in a loop condition");
}

TEST(LegalityRefusal, VolatileReadElsewhereButAwaited) {
  const char *poll = "static volatile int flag; static int cached;\n"
                     "static void poll_flag(void) { cached = flag; }\n"
                     "static void poll_into(int *x) { *x = flag; }";
  EXPECT_EQ(refusalOfBody("while (!cached) poll_flag();", poll),
            "reads the volatile 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("int x = 0; while (!x) poll_into(&x);", poll),
            "reads the volatile 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while (!cached) cached = flag;", poll),
            "reads the volatile 'flag' in a loop condition");
}

TEST(LegalityRefusal, VolatileElsewhere) {
  EXPECT_EQ(refusalOfBody("if (verbose) b[0] = 1; count++;", "static volatile int verbose, count;"),
            "");
}

TEST(LegalityRefusal, AtomicInLoopCondition) {
  EXPECT_EQ(refusalOfBody("while (flag) ;", "static _Atomic int flag;"),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while (!__atomic_load_n(&flag, 2)) ;", "static int flag;"),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while (__sync_lock_test_and_set(&flag, 1)) ;", "static int flag;"),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(refusalOfCxxBody("while (!flag.load()) ;",
                             "#include <atomic>\nstatic std::atomic<int> flag;"),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(
      refusalOfCxxBody("while (!flag) ;", "#include <atomic>\nstatic std::atomic<bool> flag;"),
      "reads the atomic 'flag' in a loop condition");
}

TEST(LegalityRefusal, AtomicElsewhere) {
  EXPECT_EQ(
      refusalOfCxxBody("sent.fetch_add(1);", "#include <atomic>\nstatic std::atomic<int> sent;"),
      "");
}

TEST(LegalityRefusal, LoopThatSpins) {
  EXPECT_EQ(refusalOfBody("while (!*done) ;", "extern int *done;"),
            "spins on 'done', which the loop does not change");
  EXPECT_EQ(refusalOfBody("int turns = 0; while (!done) turns++;", "extern int done;"),
            "spins on 'done', which the loop does not change");
  EXPECT_EQ(refusalOfBody("for (;;) if (done) break;", "extern int done;"),
            "spins on 'done', which the loop does not change");
  EXPECT_EQ(refusalOfBody("for (;;) ;"), "contains a loop that does not end");
}

TEST(LegalityRefusal, LoopsThatEnd) {
  EXPECT_EQ(refusalOfBody("int k = 0; while (k < n && to[k] == to[i]) k++;"), "");
  EXPECT_EQ(refusalOfBody("for (int j = 0; j < i; j++) b[j] = j;"), "");
  EXPECT_EQ(refusalOfBody("int k = 0; for (;;) { if (k == 5) break; k++; }"), "");
  EXPECT_EQ(refusalOfBody("do { b[0] = 1; } while (0);"), "");
  EXPECT_EQ(refusalOfBody("struct node *p = head; while (p) { b[0] += p->x; p = p->next; }",
                          "struct node { struct node *next; double x; } *head;"),
            "");
}

TEST(LegalityRefusal, LoopThatWaitsForMpi) {
  EXPECT_EQ(refusalOfBody("MPI_Request r; int done = 0;\n"
                          "MPI_Isend(b, 1, MPI_DOUBLE, to[i], 0, c, &r);\n"
                          "while (!done) MPI_Test(&r, &done, 0);"),
            "");
}

TEST(LegalityRefusal, InlineAssembly) {
  EXPECT_EQ(refusalOfBody("__asm__ volatile(\"nop\");"), "contains inline assembly");
  EXPECT_EQ(refusalOfBody("__asm__ volatile(\"\" ::: \"memory\");"), "");
}

TEST(LegalityRefusal, Jumps) {
  EXPECT_EQ(refusalOfBody("if (setjmp(e)) break;", "#include <setjmp.h>\nstatic jmp_buf e;"),
            "calls _setjmp, which may jump between functions");
  EXPECT_EQ(refusalOfBody("again: if (b[0] < 0) goto again;"), "jumps backwards by goto");
  EXPECT_EQ(refusalOfBody("if (b[0] < 0) goto next; b[0] = 1; next: ;"), "");
}

TEST(LegalityRefusal, OpenMpInside) {
  EXPECT_EQ(refusal("void exchange(int n, double *b) { for (int i = 0; i < n; i++) {\n"
                    "#pragma omp parallel\n{ b[0] = 1; }\n"
                    "MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }",
                    Language::C, nullptr, {"-fopenmp"}),
            "contains an OpenMP region");
}

TEST(LegalityRefusal, OpenMpAround) {
  EXPECT_EQ(refusal("void exchange(int n, double *b) {\n#pragma omp parallel for\n"
                    "for (int i = 0; i < n; i++) MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); }",
                    Language::C, nullptr, {"-fopenmp"}),
            "stands inside an OpenMP region");
}

TEST(LegalityRefusal, PragmaForTheLoop) {
  EXPECT_EQ(refusal("void exchange(int n, double *b) {\n#pragma clang loop unroll(disable)\n"
                    "for (int i = 0; i < n; i++) MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); }",
                    Language::C),
            "has a pragma or attribute in front of it");
}

TEST(LegalityRefusal, UnevaluatedCode) {
  EXPECT_EQ(refusalOfBody("b[0] = sizeof(helper());", "int helper(void);"), "");
  EXPECT_EQ(refusalOfBody("b[0] = _Generic(i, int: 1, default: helper());", "int helper(void);"),
            "");
}

TEST(LegalityRefusal, VirtualCall) {
  const char *classes = "struct Base { virtual void fill(double *) = 0; };\n"
                        "struct Last final : Base { void fill(double *) override {} };\n";
  EXPECT_EQ(refusalOfCxxBody("[&] { extern Base *base; base->fill(b); }();", classes),
            "calls a lambda that calls the virtual function 'fill', whose target is not known");
  EXPECT_EQ(refusalOfCxxBody("extern Last *last; last->fill(b);", classes), "");
  EXPECT_EQ(refusalOfCxxBody("Last own; own.fill(b);", classes), "");
}

TEST(LegalityRefusal, StdFunction) {
  EXPECT_EQ(refusalOfCxxBody("fill(b);",
                             "#include <functional>\nextern std::function<void(double *)> fill;"),
            "calls through a std::function");
}

TEST(LegalityRefusal, Constructors) {
  EXPECT_EQ(
      refusalOfCxxBody("Pause p;", "#include <unistd.h>\nstruct Pause { Pause() { sleep(1); } };"),
      "calls Pause::Pause, which calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("Holder h;",
                             "#include <unistd.h>\nstruct Pause { Pause() { sleep(1); } };\n"
                             "struct Holder { Pause p; };"),
            "calls Holder::Holder, which calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, Destructors) {
  const char *classes = "#include <unistd.h>\nstruct Pause { ~Pause() { sleep(1); } };\n"
                        "struct Holder { Pause p; };\nHolder make();";
  const char *reason = "calls Holder::~Holder, which calls sleep, which may wait outside MPI";
  EXPECT_EQ(refusalOfCxxBody("Holder h;", classes), reason);
  EXPECT_EQ(refusalOfCxxBody("delete new Holder;", classes), reason);
}

TEST(LegalityRefusal, DefaultArgument) {
  EXPECT_EQ(refusalOfCxxBody("fill(b);",
                             "#include <unistd.h>\nstatic void fill(double *, int = sleep(1)) {}"),
            "calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, Operators) {
  EXPECT_EQ(refusalOfCxxBody("V v; v + v;", "#include <unistd.h>\n"
                                            "struct V { void operator+(V) { pause(); } };"),
            "calls V::operator+, which calls pause, which may wait outside MPI");
}

TEST(LegalityRefusal, LambdaPassedToAnAlgorithm) {
  EXPECT_EQ(refusalOfCxxBody("std::for_each(b, b + 3, [](double &) { sleep(1); });",
                             "#include <algorithm>\n#include <unistd.h>"),
            "calls a lambda that calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::for_each(b, b + 3, [](auto &) { sleep(1); });",
                             "#include <algorithm>\n#include <unistd.h>"),
            "calls a lambda that calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::sort(b, b + 3, [](double x, double y) { return x > y; });",
                             "#include <algorithm>"),
            "");
}

TEST(LegalityRefusal, LambdaOutsideTheLoop) {
  const char *source =
      "#include <unistd.h>\nvoid exchange(int n, double *b) {\n"
      "  auto fill = [](double *) { sleep(1); };\n"
      "  for (int i = 0; i < n; i++) { %s MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }";
  std::string called = source, unused = source;
  called.replace(called.find("%s"), 2, "fill(b);");
  unused.replace(unused.find("%s"), 2, "");
  EXPECT_EQ(refusal(called, Language::Cxx),
            "calls a lambda that calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusal(unused, Language::Cxx), "");
}

TEST(LegalityRefusal, FunctionPassedToTheLibrary) {
  const char *compare = "#include <stdlib.h>\n#include <unistd.h>\n"
                        "static int compare(const void *, const void *) { return sleep(1); }\n"
                        "extern int (*other)(const void *, const void *);";
  EXPECT_EQ(refusalOfCxxBody("qsort(b, 2, 8, compare);", compare),
            "calls compare, which calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("qsort(b, 2, 8, other);", compare),
            "calls through a function pointer");
}

TEST(LegalityRefusal, ElementsOfContainers) {
  const char *classes = "#include <vector>\n#include <unistd.h>\n"
                        "struct Slow { int rank; Slow(const Slow &) { sleep(1); } };\n"
                        "extern std::vector<Slow> slow; extern Slow one;";
  EXPECT_EQ(refusalOfCxxBody("slow.push_back(one);", classes),
            "calls Slow::Slow, which calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("if (slow[i].rank == 0 || slow.size() > 3) continue;", classes), "");
}

TEST(LegalityRefusal, ViewsComputeWhatTheyHandOut) {
  EXPECT_EQ(refusalOfCxxBody(
                "for (int x : v | std::views::transform(slow)) b[0] += x;",
                "#include <ranges>\n#include <vector>\n#include <unistd.h>\n"
                "extern std::vector<int> v; static auto slow = [](int) { return sleep(1); };"),
            "calls a lambda that calls sleep, which may wait outside MPI");
}

TEST(LegalityRefusal, Threads) {
  EXPECT_EQ(refusalOfCxxBody("t.join();", "#include <thread>\nextern std::thread t;"),
            "calls std::thread::join, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::lock_guard<std::mutex> g(m);",
                             "#include <mutex>\nextern std::mutex m;"),
            "calls std::lock_guard::lock_guard, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("m.lock();", "#include <mutex>\nextern std::mutex m;"),
            "calls std::mutex::lock, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("f.get();", "#include <future>\nextern std::future<int> f;"),
            "calls std::future::get, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::this_thread::sleep_for(std::chrono::seconds(1));",
                             "#include <thread>\n#include <chrono>"),
            "calls std::this_thread::sleep_for, which may wait outside MPI");
}

TEST(LegalityRefusal, Streams) {
  EXPECT_EQ(refusalOfCxxBody("std::cin >> b[0];", "#include <iostream>"),
            "calls std::basic_istream::operator>>, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::string s; std::getline(std::cin, s);", "#include <iostream>"),
            "calls std::getline, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("std::cout << \"to \" << to[i] << std::endl;", "#include <iostream>"),
            "");
  EXPECT_EQ(
      refusalOfCxxBody("std::istringstream s(\"1 2\"); s >> b[0] >> b[1];", "#include <sstream>"),
      "");
}

TEST(LegalityRefusal, Coroutine) {
  const char *task = "#include <coroutine>\nstruct Task { struct promise_type {\n"
                     "  Task get_return_object() { return {}; }\n"
                     "  std::suspend_never initial_suspend() { return {}; }\n"
                     "  std::suspend_never final_suspend() noexcept { return {}; }\n"
                     "  void return_void() {}\n  void unhandled_exception() {} }; };\n";
  EXPECT_EQ(refusal(std::string(task) +
                        "Task exchange(int n, double *b) {\n"
                        "  for (int i = 0; i < n; i++) { co_await std::suspend_always();"
                        " MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }",
                    Language::Cxx),
            "suspends a coroutine");
}

TEST(LegalityRefusal, Templates) {
  const char *source =
      "#include <unistd.h>\n"
      "struct Fine { void go() {} }; struct Slow { void go() { sleep(1); } };\n"
      "template <class T> void exchange(int n, double *b, T t) {\n"
      "  for (int i = 0; i < n; i++) { t.go(); MPI_Send(b, 1, MPI_DOUBLE, i, 0, 0); } }\n"
      "void use() { exchange(1, nullptr, ";
  EXPECT_EQ(refusal(std::string(source) + "Slow()); }", Language::Cxx),
            "calls Slow::go, which calls sleep, which may wait outside MPI");
  EXPECT_EQ(refusal(std::string(source) + "Fine()); }", Language::Cxx), "");
}

TEST(LegalityRefusal, Iterators) {
  EXPECT_EQ(
      refusal("#include <map>\n#include <vector>\n"
              "void exchange(std::map<int, std::vector<double>> &m) {\n"
              "  for (auto it = m.begin(); it != m.end(); ++it)\n"
              "    MPI_Send(it->second.data(), it->second.size(), MPI_DOUBLE, it->first, 0, 0); }",
              Language::Cxx),
      "");
  EXPECT_EQ(
      refusal("#include <vector>\nstruct Neighbour { int rank; double *b; };\n"
              "void exchange(const std::vector<Neighbour> &all) {\n"
              "  for (const auto &one : all) MPI_Send(one.b, 1, MPI_DOUBLE, one.rank, 0, 0); }",
              Language::Cxx),
      "");
}

TEST(LegalityRefusal, ExceptionsAreFine) {
  EXPECT_EQ(
      refusalOfCxxBody("if (b[0] < 0) throw 1; try { b[0] = 1; } catch (int e) { b[0] = e; }"), "");
}

} // namespace
