// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for, or hand over to, something other than MPI: files, other threads, the
// program's exit handlers. Beside each is a similar loop that may be deferred.

#include "test/tool/legality/LegalityFixture.h"

#include <gtest/gtest.h>

using namespace sendwright;
using namespace sendwright::test;

namespace {

const char *const spinsOnFlag = "spins on 'flag', which the loop does not change";

TEST(LegalityOutside, ExitHandlers) {
  // The runtime takes exit() and sends first; quick_exit() is not intercepted.
  const char *reason = "calls quick_exit, whose handlers would run before the sends";
  EXPECT_EQ(refusalOfBody("if (i > 3) exit(0);", "#include <stdlib.h>"), "");
  EXPECT_EQ(refusalOfCxxBody("if (i > 3) std::exit(0);", "#include <cstdlib>"), "");
  EXPECT_EQ(refusalOfBody("if (i > 3) quick_exit(0);", "#include <stdlib.h>"), reason);
  EXPECT_EQ(refusalOfBody("if (i > 3) die();",
                          "#include <stdlib.h>\nstatic void die(void) { quick_exit(1); }"),
            std::string("calls die, which ") + reason);
  EXPECT_EQ(refusalOfBody("if (i > 3) _exit(0);", "#include <unistd.h>"), "");
}

TEST(LegalityOutside, FilesThatAreAwaited) {
  const char *head = "#include <filesystem>\nextern std::filesystem::path p;";
  EXPECT_EQ(refusalOfCxxBody("while (!std::filesystem::exists(p)) {}", head),
            "asks the operating system through std::filesystem::exists in a loop condition");
  EXPECT_EQ(refusalOfCxxBody("int turns = 0; while (!exists(p)) turns++;", head),
            "asks the operating system through std::filesystem::exists in a loop condition");
  EXPECT_EQ(refusalOfCxxBody(
                "std::error_code e; do { e.clear(); last_write_time(p, e); } while (e);", head),
            "asks the operating system through std::filesystem::last_write_time in a loop condition");
  EXPECT_EQ(
      refusalOfCxxBody("std::filesystem::directory_entry d(p); while (!d.exists()) d.refresh();",
                       head),
      "asks the operating system through std::filesystem::directory_entry::exists in a loop condition");
  EXPECT_EQ(refusalOfCxxBody("if (std::filesystem::exists(p)) continue;", head), "");
}

TEST(LegalityOutside, FilesThatAreAwaitedInC) {
  EXPECT_EQ(refusalOfBody("while (rename(\"a\", \"b\") != 0) ;", "#include <stdio.h>"),
            "asks the operating system through rename in a loop condition");
  EXPECT_EQ(refusalOfBody("while (remove(\"a\") != 0) ;", "#include <stdio.h>"),
            "asks the operating system through remove in a loop condition");
  EXPECT_EQ(
      refusalOfBody("int k = 0; while (access(\"a\", 0) && k < 9) k++;", "#include <unistd.h>"),
      "asks the operating system through access in a loop condition");
  EXPECT_EQ(refusalOfBody("struct stat s; while (stat(\"a\", &s)) ;", "#include <sys/stat.h>"),
            "asks the operating system through stat in a loop condition");
  EXPECT_EQ(refusalOfBody("struct stat s; do stat(\"a\", &s); while (s.st_size == 0);",
                          "#include <sys/stat.h>"),
            "asks the operating system through stat in a loop condition");
  EXPECT_EQ(refusalOfBody("rename(\"a\", \"b\"); if (access(\"c\", 0)) continue;",
                          "#include <stdio.h>\n#include <unistd.h>"),
            "");
}

TEST(LegalityOutside, AnswersInMemory) {
  const char *head = "#include <stdio.h>\n#include <sys/stat.h>\nextern FILE *report;\n"
                     "struct node { struct node *next; struct stat s; }; extern struct node *p;\n";
  EXPECT_EQ(refusalOfBody("do stat(\"a\", &p->s); while (p->s.st_size == 0);", head),
            "asks the operating system through stat in a loop condition");
  EXPECT_EQ(
      refusalOfBody("struct stat *s = &p->s; do stat(\"a\", s); while (s->st_size == 0);", head),
      "asks the operating system through stat in a loop condition");
  EXPECT_EQ(refusalOfBody("struct stat s; stat(\"a\", &s); while (p->next) p = p->next;", head),
            "");
  EXPECT_EQ(refusalOfBody("long at = ftell(report); while (p->next) p = p->next;", head), "");
}

TEST(LegalityOutside, AlgorithmsNamedLikeFunctionsOfC) {
  EXPECT_EQ(refusalOfCxxBody("while (v.end() != std::remove(v.begin(), v.end(), 1)) v.pop_back();",
                             "#include <algorithm>\n#include <cstdio>\n#include <vector>\n"
                             "extern std::vector<int> v;"),
            "");
}

TEST(LegalityOutside, PathsAreText) {
  EXPECT_EQ(refusalOfCxxBody("while (p.has_parent_path() && p != \"a\") p = p.parent_path();",
                             "#include <filesystem>\nextern std::filesystem::path p;"),
            "");
}

TEST(LegalityOutside, OpeningMayWaitForTheOtherEndOfAPipe) {
  EXPECT_EQ(refusalOfCxxBody("std::ofstream f(\"a\");", "#include <fstream>"),
            "calls std::basic_ofstream::basic_ofstream, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("f.open(\"a\");", "#include <fstream>\nextern std::ofstream f;"),
            "calls std::basic_ofstream::open, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("f.open(\"a\");", "#include <fstream>\nextern std::fstream f;"),
            "calls std::basic_fstream::open, which may wait outside MPI");
  EXPECT_EQ(refusalOfCxxBody("f.open(\"a\", std::ios::out);",
                             "#include <fstream>\nextern std::filebuf f;"),
            "calls std::basic_filebuf::open, which may wait outside MPI");
  EXPECT_EQ(refusalOfBody("FILE *f = fopen(\"a\", \"w\");", "#include <stdio.h>"),
            "calls fopen, which may wait outside MPI");
}

TEST(LegalityOutside, PrintingIsFine) {
  EXPECT_EQ(
      refusalOfBody("printf(\"%d\", i); fprintf(stderr, \"%d\", i); fprintf(report, \"%d\", i);",
                    "#include <stdio.h>\nextern FILE *report;"),
      "");
}

TEST(LegalityOutside, AtomicsByFreeFunctions) {
  const char *head = "#include <atomic>\nextern std::atomic<int> *flag; extern int x;\n"
                     "extern std::atomic_flag lock;";
  const char *reason = "reads the atomic 'flag' in a loop condition";
  EXPECT_EQ(refusalOfCxxBody("while (std::atomic_fetch_add(flag, 0) < 3) {}", head), reason);
  EXPECT_EQ(
      refusalOfCxxBody(
          "while (std::atomic_fetch_or_explicit(flag, 0, std::memory_order_relaxed)) {}", head),
      reason);
  EXPECT_EQ(refusalOfCxxBody("while (!std::atomic_compare_exchange_weak_explicit(flag, &x, 1,\n"
                             "  std::memory_order_relaxed, std::memory_order_relaxed)) {}",
                             head),
            reason);
  EXPECT_EQ(refusalOfCxxBody("while (std::atomic_flag_test_and_set_explicit(&lock,\n"
                             "  std::memory_order_relaxed)) {}",
                             head),
            "reads the atomic 'lock' in a loop condition");
}

TEST(LegalityOutside, AtomicsOfC11) {
  const char *head = "#include <stdatomic.h>\nextern _Atomic int *flag; extern atomic_flag lock;";
  EXPECT_EQ(refusalOfBody("while (atomic_fetch_add(flag, 0) < 3) ;", head),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while (atomic_load_explicit(flag, memory_order_relaxed) < 3) ;", head),
            "reads the atomic 'flag' in a loop condition");
  EXPECT_EQ(refusalOfBody("while ((atomic_flag_test_and_set)(&lock)) ;", head),
            "reads the atomic 'lock' in a loop condition");
}

TEST(LegalityOutside, AtomicReadIntoAVariable) {
  EXPECT_EQ(refusalOfBody("int x = 0; while (!x) __atomic_load(&flag, &x, 2);", "extern int flag;"),
            "reads the atomic 'flag' in a loop condition");
}

TEST(LegalityOutside, BarriersAreNoProgress) {
  EXPECT_EQ(refusalOfBody("while (flag[i] == 0) barrier();",
                          "extern int *flag;\nstatic inline void barrier(void)\n"
                          "{ __asm__ __volatile__(\"\" ::: \"memory\"); }"),
            spinsOnFlag);
  EXPECT_EQ(refusalOfBody("while (flag[i] == 0) __asm__ volatile(\"\" : \"+m\"(*flag));",
                          "extern int *flag;"),
            spinsOnFlag);
  EXPECT_EQ(refusalOfBody("while (flag[i] == 0) __sync_synchronize();", "extern int *flag;"),
            spinsOnFlag);
  EXPECT_EQ(refusalOfBody("while (flag[i] == 0) atomic_thread_fence(memory_order_acquire);",
                          "#include <stdatomic.h>\nextern int *flag;"),
            spinsOnFlag);
}

TEST(LegalityOutside, FencesAreNoProgress) {
  const char *head =
      "#include <atomic>\nextern int *flag;\n"
      "inline void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }\n"
      "inline void outer() { fence(); }";
  EXPECT_EQ(refusalOfCxxBody(
                "while (flag[i] == 0) std::atomic_thread_fence(std::memory_order_acquire);", head),
            spinsOnFlag);
  EXPECT_EQ(refusalOfCxxBody(
                "while (flag[i] == 0) std::atomic_signal_fence(std::memory_order_acquire);", head),
            spinsOnFlag);
  EXPECT_EQ(refusalOfCxxBody("while (flag[i] == 0) outer();", head), spinsOnFlag);
}

TEST(LegalityOutside, LibraryCallsThatChangeNothingAreNoProgress) {
  EXPECT_EQ(refusalOfBody("while (!*flag) time(0);", "#include <time.h>\nextern int *flag;"),
            spinsOnFlag);
  EXPECT_EQ(
      refusalOfBody("while (!*flag) fflush(stdout);", "#include <stdio.h>\nextern int *flag;"),
      spinsOnFlag);
  EXPECT_EQ(
      refusalOfBody("while (!*flag) free(malloc(8));", "#include <stdlib.h>\nextern int *flag;"),
      spinsOnFlag);
  EXPECT_EQ(refusalOfBody("char t[9]; while (!*flag) memset(t, 0, 9);",
                          "#include <string.h>\nextern int *flag;"),
            spinsOnFlag);
  EXPECT_EQ(
      refusalOfCxxBody("while (!*flag) std::to_string(i);", "#include <string>\nextern int *flag;"),
      spinsOnFlag);
  EXPECT_EQ(
      refusalOfCxxBody("while (std::chrono::steady_clock::now() < end) ;",
                       "#include <chrono>\nextern std::chrono::steady_clock::time_point end;"),
      "spins on 'end', which the loop does not change");
}

TEST(LegalityOutside, CountingTurnsIsNoProgress) {
  EXPECT_EQ(refusalOfBody("int turns = 0; while (!is_set()) turns++;",
                          "static int flag; static int is_set(void) { return flag; }"),
            "spins on a value, which the loop does not change");
}

TEST(LegalityOutside, LambdaInACondition) {
  const char *head = "#include <algorithm>\n#include <atomic>\n#include <vector>\n"
                     "extern std::atomic<int> a[3]; extern std::vector<int> v; extern int *flag;";
  EXPECT_EQ(
      refusalOfCxxBody("while (!std::all_of(a, a + 3, [](auto &x) { return x.load(); })) {}", head),
      "reads the atomic 'x' in a loop condition");
  EXPECT_EQ(refusalOfCxxBody("while ([&] { return !*flag; }()) {}", head),
            "spins on a value, which the loop does not change");
  EXPECT_EQ(
      refusalOfCxxBody("int k = 0; auto small = [&] { return k < 5; }; while (small()) k++;", head),
      "");
  EXPECT_EQ(refusalOfCxxBody(
                "while (!v.empty()) std::for_each(b, b + 1, [](double) { v.pop_back(); });", head),
            "");
}

TEST(LegalityOutside, OrdinaryLoopsOfC) {
  EXPECT_EQ(refusalOfBody("while (rand() % 3) ;", "#include <stdlib.h>"), "");
  EXPECT_EQ(refusalOfBody("unsigned s = 1; while (rand_r(&s) % 3) ;", "#include <stdlib.h>"), "");
  EXPECT_EQ(refusalOfBody("char *w = strtok(t, \" \"); while (w) w = strtok(0, \" \");",
                          "#include <string.h>\nextern char *t;"),
            "");
  EXPECT_EQ(refusalOfBody("strtok(t, \" \"); int k = 0; while (strtok(0, \" \")) k++;",
                          "#include <string.h>\nextern char *t;"),
            "");
  EXPECT_EQ(refusalOfBody("char *p = t, *e; while (*p) { b[0] += strtod(p, &e); p = e; }",
                          "#include <stdlib.h>\nextern char *t;"),
            "");
  EXPECT_EQ(refusalOfBody("while (strlen(t) < 9) strcat(t, \"x\");",
                          "#include <string.h>\nextern char *t;"),
            "");
  EXPECT_EQ(refusalOfBody("int used, x; while (sscanf(t, \"%d%n\", &x, &used) == 1) t += used;",
                          "#include <stdio.h>\nextern char *t;"),
            "");
  EXPECT_EQ(refusalOfBody("while (p->k < 9) memmove(p, p + 1, 8);",
                          "#include <string.h>\nstruct item { int k; }; extern struct item *p;"),
            "");
  EXPECT_EQ(refusalOfBody("int o; while ((o = getopt(n, v, \"a\")) != -1) b[0] += o;",
                          "#include <getopt.h>\nextern char **v;"),
            "");
  EXPECT_EQ(
      refusalOfBody("int k = 0; while (k < 5) step(&k);", "static void step(int *k) { ++*k; }"),
      "");
  EXPECT_EQ(refusalOfBody("while (more()) step();",
                          "static int k; static int more(void) { return k < 5; }\n"
                          "static void step(void) { k++; }"),
            "");
}

TEST(LegalityOutside, OrdinaryLoopsOfCxx) {
  const char *head =
      "#include <algorithm>\n#include <map>\n#include <memory>\n#include <queue>\n"
      "#include <random>\n#include <ranges>\n#include <span>\n#include <sstream>\n#include "
      "<string>\n"
      "extern std::queue<int> *q; extern std::vector<int> v; extern std::mt19937 g;\n"
      "extern std::map<int, int> m; extern std::string s; extern std::bernoulli_distribution d;\n"
      "struct Node { std::shared_ptr<Node> next; }; extern std::shared_ptr<Node> p;\n"
      "struct Box { std::queue<int> q; bool more() const { return !q.empty(); }\n"
      "  void drop() { q.pop(); } }; extern Box box;";
  // One loop for all cases, as the headers take long to compile.
  EXPECT_EQ(refusalOfCxxBody("{ while (!q->empty()) q->pop(); }"
                             "{ while (!v.empty()) v.pop_back(); }"
                             "{ auto it = m.begin(); while (it != m.end()) it = m.erase(it); }"
                             "{ auto it = v.begin(); while (it < v.end()) std::advance(it, 1); }"
                             "{ while (d(g)) {} }"
                             "{ while (std::next_permutation(v.begin(), v.end())) b[0] += v[0]; }"
                             "{ while (v[0] < 3) std::rotate(v.begin(), v.begin() + 1, v.end()); }"
                             "{ while (v[0] < 3) std::ranges::next_permutation(v); }"
                             "{ while (v[0] < 3) std::ranges::next_permutation(std::span(v)); }"
                             "{ std::istringstream f(s); int x; while (f >> x) b[0] += x; }"
                             "{ while (s.find(' ') != s.npos) s.erase(0, s.find(' ') + 1); }"
                             "{ while (p) p = p->next; }"
                             "{ while (box.more()) box.drop(); }"
                             "{ std::string_view w = s; while (!w.empty()) w.remove_prefix(1); }",
                             head),
            "");
}

} // namespace
