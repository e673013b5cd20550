// The text that says which instantiation a loop is in raises no warning in any standard, moves no line,
// and adds nothing that a debugger shows except for the type of the text.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %plan_for app.plan rewrite %cxx %s
// RUN: for standard in c++98 c++11 gnu++11 c++14 c++17 gnu++17 c++20 c++2b; do \
// RUN:   W="-std=$standard -pedantic-errors -Weverything -Wno-unknown-warning-option"; \
// RUN:   %cxx $W -c %s -o original.o 2> original.err && \
// RUN:   %cxx $W %generate %argument-remarks=none -c %s -o marked.o 2> marked.err && \
// RUN:   %cxx $W %use=app.plan %argument-remarks=none -c %s -o rewritten.o 2> rewritten.err || exit 1; \
// RUN:   for kind in original marked rewritten; do sed -nE 's/:[0-9]+: warning/: warning/p' $kind.err | sort > $kind.warnings; done; \
// RUN:   diff original.warnings marked.warnings && diff original.warnings rewritten.warnings || exit 1; \
// RUN:   llvm-nm-19 -u marked.o | grep -q mark_begin_instance && llvm-nm-19 -u rewritten.o | grep -q batch_begin_instance || exit 1; done
//
// RUN: %cxx -std=c++17 -g -O0 -c %s -o original.o
// RUN: %cxx -std=c++17 -g -O0 %generate %argument-remarks=none -c %s -o marked.o
// RUN: %cxx -std=c++17 -g -O0 %use=app.plan %argument-remarks=none -c %s -o rewritten.o
// RUN: for kind in original marked rewritten; do llvm-dwarfdump-19 --debug-line $kind.o > $kind.dwarf; \
// RUN:   awk '/^0x/ && $2 > 0 {print $2, $4}' $kind.dwarf | sort -u > $kind.table; \
// RUN:   grep 'name:' $kind.dwarf | sort > $kind.files; \
// RUN:   llvm-dwarfdump-19 --debug-info $kind.o | grep -E 'DW_AT_(linkage_)?name' | grep -v __ARRAY_SIZE_TYPE__ | sort > $kind.names; done
// RUN: for kind in marked rewritten; do for what in table files names; do diff original.$what $kind.$what || exit 1; done; done
// RUN: grep Exchange original.names

#include <mpi.h>

template <typename Value, int Stride> struct Exchange {
  void send(const int *to, int n) const {
    for (int i = 0; i < n; i += Stride)
      MPI_Send(&value, 1, MPI_INT, to[i], 0, MPI_COMM_WORLD);
  }
  Value value;
};

template <typename Value> inline void send_all(const Value &value, const int *to, int n) {
  for (int i = 0; i < n; ++i)
    MPI_Send(&value, 1, MPI_INT, to[i], 0, MPI_COMM_WORLD);
}

void exchange(const int *to, int n);

void exchange(const int *to, int n) {
  const Exchange<int, 1> one = {1};
  const Exchange<long, 2> other = {1L};
  one.send(to, n);
  other.send(to, n);
  send_all(1, to, n);
  send_all(2L, to, n);
#if __cplusplus >= 201703L
  const auto each = [to, n](auto value) {
    for (int i = 0; i < n; ++i)
      MPI_Send(&value, 1, MPI_INT, to[i], 0, MPI_COMM_WORLD);
  };
  each(1);
  each('c');
#endif
}
