// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For which loops it is proved that a blocking send needs no copy. Each loop without the proof
// overwrites, or may overwrite, what it sends.

#include "analysis/plan/Plan.h"
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

// A loop over `i` in a function with a pointer `b` and the given `declarations`.
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

TEST(LegalityBuffer, IteratorsBesideAWrapper) {
  const std::string before = "#include <vector>\n"
                             "static void put(const double *b, int to)\n"
                             "{ MPI_Send(b, 1, MPI_DOUBLE, to, 0, 0); }\n"
                             "void keep(const void *);\n"
                             "void exchange(const std::vector<int> &to, const double *b) {\n";
  EXPECT_TRUE(isStable(before + "for (int one : to) put(b, one); }", Language::Cxx));
  EXPECT_TRUE(isStable(before + "for (auto one = to.begin(); one != to.end(); ++one)\n"
                                "  put(b, *one); }",
                       Language::Cxx));
  EXPECT_FALSE(isStable(before + "auto one = to.begin(); keep(&one);\n"
                                 "for (; one != to.end(); ++one) put(b, *one); }",
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

TEST(LegalityBuffer, CheckingMacro) {
  const char *declarations =
      "#include <stdio.h>\n"
      "#define CHECK(call) do { int code_ = (call); if (code_) { char text_[9]; int length_; "
      "MPI_Error_string(code_, text_, &length_); fprintf(stderr, \"%s: %s\\n\", #call, text_); "
      "MPI_Abort(0, code_); } } while (0)\n"
      "static int put(const double *b, int to) { return MPI_Send(b, 1, MPI_DOUBLE, to, 0, 0); }";
  EXPECT_TRUE(isStableBody("CHECK(MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c));", "", declarations));
  EXPECT_TRUE(isStableBody("CHECK(put(b, to[i]));", "", declarations));
  EXPECT_FALSE(isStableBody("char text[9]; sprintf(text, \"%d\", i); put((double *)text, to[i]);",
                            "", declarations));
}

// The text of an error message has its own memory.
TEST(LegalityBuffer, MessagesThatAreThrown) {
  const char *head = "#include <stdexcept>\n#include <string>\nint limit;\n"
                     "static double grow(double *b) { return b[0] = 1; }";
  const char *sends = "int code = MPI_Send(b + i, 1, MPI_DOUBLE, to[i], 0, c); if (code) ";
  const auto isStableThrow = [&](const char *operand) {
    return isStableBody(std::string(sends) + "throw " + operand + ";", "std::string text;", head,
                        Language::Cxx);
  };
  EXPECT_TRUE(isStableThrow("std::runtime_error(\"send\")"));
  EXPECT_TRUE(isStableThrow("std::runtime_error(\"send: \" + std::to_string(code))"));
  EXPECT_TRUE(isStableThrow("std::runtime_error(text + std::to_string(limit) + \"!\")"));
  EXPECT_FALSE(isStableThrow("std::runtime_error(std::to_string(b[0] = 1))"));
  EXPECT_FALSE(isStableThrow("std::runtime_error(std::to_string(grow(b)))"));
  EXPECT_FALSE(isStableThrow("std::runtime_error(text.append(\"send\"))"));
  EXPECT_FALSE(isStableThrow("std::move(text)"));
  EXPECT_TRUE(
      isStableBody("check(MPI_Send(b + i, 1, MPI_DOUBLE, to[i], 0, c));", "",
                   "#include <stdexcept>\n#include <string>\nstatic void check(int code) { "
                   "if (code) throw std::runtime_error(\"MPI: \" + std::to_string(code)); }",
                   Language::Cxx));
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

TEST(LegalityBuffer, DatatypesThatReachOtherVariables) {
  const char *type = "extern MPI_Datatype work; static double x, y; static int k;\n"
                     "void build(double *, double *); void set_up(void) { build(&x, &y); }\n"
                     "#define WORK work\n#define REAL MPI_DOUBLE";
  EXPECT_FALSE(isStableBody("y = i; MPI_Send(&x, 1, work, to[i], 0, c);", "", type));
  EXPECT_FALSE(isStableBody("y = i; MPI_Send(&x, 1, WORK, to[i], 0, c);", "", type));
  EXPECT_TRUE(isStableBody("y = i; MPI_Send(&x, 1, REAL, to[i], 0, c);", "", type));
  EXPECT_FALSE(isStableBody("own = i; MPI_Send(&x, 1, work, to[i], 0, c);",
                            "long at; double own; MPI_Get_address(&own, &at);", type));
  EXPECT_FALSE(isStableBody("double own = i; f(&own); MPI_Send(&x, 1, work, to[i], 0, c);", "",
                            std::string(type) + "\nstatic void f(double *p) { (void)p; }"));
  EXPECT_TRUE(isStableBody("int own = i; MPI_Send(b, own, work, to[i], 0, c);", "", type));
}

TEST(LegalityBuffer, DatatypesThatArePredefined) {
  const char *variables = "static float x, y;";
  EXPECT_TRUE(isStableBody("y = i; MPI_Send(&x, 1, MPI_FLOAT, i, 0, c);", "", variables));
  EXPECT_TRUE(
      isStableBody("y = i; MPI_Send(&x, 1, MPI_FLOAT, i, 0, c);", "", variables, Language::Cxx));
  EXPECT_TRUE(isStableBody("y = i; MPI_Send(&x, 1, sizeof(x) == 4 ? MPI_FLOAT : MPI_DOUBLE, i, 0, "
                           "c);",
                           "", variables));
  EXPECT_TRUE(isStableBody("y = i; MPI_Send(&x, 1, real, i, 0, c);", "",
                           "static const MPI_Datatype real = MPI_FLOAT; static float x, y;"));
  EXPECT_TRUE(
      isStable("static double x, y; void exchange(int n) {\n"
               "  for (int i = 0; i < n; i++) { y = i; MPI_Send(&x, 1, MPI_DOUBLE, i, 0, 0);"
               " } }",
               Language::C, {"-DMPICH"}));
}

bool isStableBeside(const std::string &call, const std::string &before) {
  return isStableBody(call + " MPI_Send(b, 1, MPI_DOUBLE, to[i], 0, c);", "", before,
                      Language::Cxx);
}

TEST(LegalityBuffer, MethodsOfStrings) {
  const char *head = "#include <memory>\n#include <string>\n#include <string_view>\n"
                     "extern std::string s; extern std::string_view w; extern char t[9];\n"
                     "extern std::unique_ptr<double> u; extern std::default_delete<double> del;";
  for (const char *call : {"s.copy(t, 8);", "w.copy(t, 8);", "del(b);", "u.reset();",
                           "std::unique_ptr<double> own(b);"})
    EXPECT_FALSE(isStableBeside(call, head)) << call;
  for (const char *call : {"if (s.find(w) > 3 || s.size() > 3) continue;",
                           "if (w.compare(\"a\") < 0) continue;", "if (s[0] == 'x') continue;"})
    EXPECT_TRUE(isStableBeside(call, head)) << call;
}

TEST(LegalityBuffer, ElementsOfSlices) {
  const char *head = "#include <valarray>\nextern std::valarray<double> x;\n"
                     "extern std::slice_array<double> a; extern std::gslice_array<double> g;\n"
                     "extern std::mask_array<double> m; extern std::indirect_array<double> k;";
  for (const char *call : {"a = x;", "a += x;", "g = x;", "m = x;", "k = x;"})
    EXPECT_FALSE(isStableBeside(call, head)) << call;
  EXPECT_TRUE(isStableBeside("if (x[0] > 1 || x.sum() > 3) continue;", head));
}

TEST(LegalityBuffer, MethodsOfLocalesAndMatches) {
  const char *head = "#include <locale>\n#include <regex>\nextern char t[9];\n"
                     "extern const std::ctype<char> &k; extern std::string text;\n"
                     "extern std::match_results<const char *> m;";
  for (const char *call :
       {"k.toupper(t, t + 1);", "m.format(t, text);", "m.format(text.begin(), text);"})
    EXPECT_FALSE(isStableBeside(call, head)) << call;
  EXPECT_TRUE(isStableBeside("if (m.length() > 2 || k.is(k.space, t[0])) continue;", head));
}

TEST(LegalityBuffer, AlgorithmsThatAreObjects) {
  const char *head = "#include <algorithm>\n#include <cmath>\n#include <string>\n"
                     "extern char t[9]; extern std::string s;";
  for (const char *call :
       {"std::ranges::fill(t, 'x');", "std::ranges::copy(s, t);", "frexp(b[0], &i);"})
    EXPECT_FALSE(isStableBeside(call, head)) << call;
}

TEST(LegalityBuffer, StreamsThatWriteIntoMemory) {
  const char *head = "#include <stdio.h>\nextern FILE *report;";
  for (const char *call : {"fprintf(report, \"x\");", "fputs(\"x\", report);", "fflush(report);",
                           "fwrite(\"x\", 1, 1, report);", "fputc('x', report);", "fflush(0);",
                           "putc('x', report);", "printf(\"%n\", &k);"})
    EXPECT_FALSE(isStableBody(std::string(call) + "MPI_Send(b, 1, MPI_INT, to[i], 0, c);",
                              "extern int k;", head))
        << call;
  for (const char *call :
       {"fprintf(stderr, \"%d\", i);", "fputs(\"x\", stdout);", "fflush(stdout);",
        "fwrite(\"x\", 1, 1, stderr);", "printf(\"%d\", i);", "puts(\"x\");", "perror(\"x\");"})
    EXPECT_TRUE(isStableBody(std::string(call) + "MPI_Send(b, 1, MPI_INT, to[i], 0, c);", "", head))
        << call;
}

TEST(LegalityBuffer, CaughtExceptions) {
  const char *head = "struct E { int code; }; void run(int) noexcept(false);\n"
                     "static int own;\nvoid run(int i) { if (i) throw E{i}; }";
  const char *sendOfIt = "try { run(i); } catch (const E &e) { MPI_Send(&e.code, 1, MPI_INT, i, 0, "
                         "c); }";
  EXPECT_FALSE(isStableBody(sendOfIt, "", head, Language::Cxx));
  EXPECT_FALSE(isStableBody("try { run(i); } catch (E e) { MPI_Send(&e, 1, MPI_INT, i, 0, c); }",
                            "", head, Language::Cxx));
  EXPECT_FALSE(
      isStableBody("part(i, c);", "",
                   std::string(head) + "\nstatic void part(int i, MPI_Comm c) {" + sendOfIt + "}",
                   Language::Cxx));
  EXPECT_TRUE(isStableBody("try { if (i) throw 1; } catch (int) { MPI_Send(&own, 1, MPI_INT, i, 0, "
                           "c); }",
                           "", head, Language::Cxx));
}

TEST(LegalityBuffer, ObjectsReturnedByValue) {
  const char *head = "struct header { int word[4]; struct { int x[2]; } part[2]; };\n"
                     "static struct header make(int i) { struct header h = {{i}}; return h; }";
  EXPECT_FALSE(isStableBody("MPI_Send(make(i).word, 4, MPI_INT, i, 0, c);", "", head));
  EXPECT_FALSE(isStableBody("MPI_Send(make(i).part[1].x, 2, MPI_INT, i, 0, c);", "", head));
  EXPECT_FALSE(isStableBody("put(i, c);", "",
                            std::string(head) + "static void put(int i, MPI_Comm c) {\n"
                                                "MPI_Send(make(i).word, 4, MPI_INT, i, 0, c); }"));
}

TEST(LegalityBuffer, MemoryOfACallee) {
  EXPECT_FALSE(isStableBody("put(i, c);", "",
                            "#include <alloca.h>\nstatic void put(int i, MPI_Comm c) {\n"
                            "  double *p = alloca(8); MPI_Send(p, 1, MPI_DOUBLE, i, 0, c); }"));
}

TEST(LegalityBuffer, StoresThatTellAnotherThread) {
  EXPECT_FALSE(isStableBody("MPI_Send(own, 1, MPI_DOUBLE, i, 0, c); sent = i;", "",
                            "static volatile int sent; static double own[9];"));
  EXPECT_FALSE(isStableBody("MPI_Send(own, 1, MPI_DOUBLE, i, 0, c); sent++;", "",
                            "static volatile int sent; static double own[9];"));
  EXPECT_FALSE(isStableBody("MPI_Send(own, 1, MPI_DOUBLE, i, 0, c); sent = i;", "",
                            "static _Atomic int sent; static double own[9];"));
  EXPECT_FALSE(isStableBody("MPI_Send(own, 1, MPI_DOUBLE, i, 0, c); s->k = i;", "",
                            "struct S { int k; }; extern volatile struct S *s;\n"
                            "static double own[9];"));
  EXPECT_TRUE(isStableBody("MPI_Send(own, 1, MPI_DOUBLE, i, 0, c); sent = i;", "",
                           "static int sent; static double own[9];"));
}

} // namespace
