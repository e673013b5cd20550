// A directive that cannot be read is an error at the first wrong word.
//
// RUN: cd %T && %errors %cc %plugin -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:
// RUN: sh -c '%sendwright rewrite %s --diff -- %mock -ferror-limit=0 2>&1; test $? = 1' | %FileCheck %s --implicit-check-not=error:

void f(double *first, int *sizes) {
  double *A = first, *B = first;
  // CHECK: errors-of-words.c:[[#@LINE+1]]:15: error: hpf: found 'processor', expected processors, template, distribute, dynamic, align, redistribute, realign, shadow or reflect
  #pragma hpf processor P(6)
  // CHECK: :[[#@LINE+1]]:14: error: hpf: found the end of the line, expected processors, template, distribute, dynamic, align, redistribute, realign, shadow or reflect
  #pragma hpf
  // CHECK: :[[#@LINE+1]]:28: error: hpf: found '6', expected '('
  #pragma hpf processors P 6
  // CHECK: :[[#@LINE+1]]:28: error: hpf: found ')', expected an expression
  #pragma hpf processors P()
  // CHECK: :[[#@LINE+1]]:49: error: hpf: found '8', expected at most seven dimensions
  #pragma hpf processors P(1, 2, 3, 4, 5, 6, 7, 8)
  // CHECK: :[[#@LINE+1]]:49: error: hpf: found 'block', expected at most seven dimensions
  #pragma hpf distribute A(*, *, *, *, *, *, *, block) onto P
  // CHECK: :[[#@LINE+1]]:38: error: hpf: found ')', expected ':' and the last rank
  #pragma hpf processors P(6) ranks(0)
  // CHECK: :[[#@LINE+1]]:42: error: hpf: found 'ranks', expected it once
  #pragma hpf processors P(6) ranks(0:5) ranks(0:5)
  // CHECK: :[[#@LINE+1]]:42: error: hpf: found ':', expected ')'
  #pragma hpf processors P(6) ranks(0:5:1:2)
  // CHECK: :[[#@LINE+1]]:36: error: hpf: found ')', expected '('
  #pragma hpf distribute A(indirect) onto P
  // CHECK: :[[#@LINE+1]]:31: error: hpf: found 'com', expected comm(COMMUNICATOR), ranks(FIRST:LAST) or the end of the directive
  #pragma hpf processors P(6) com(c)
  // CHECK: :[[#@LINE+1]]:28: error: hpf: found 'genblock', expected gen_block(SIZES), indirect(MAP), block, block(N), cyclic, cyclic(K) or *
  #pragma hpf distribute A(genblock(sizes)) onto P
  // CHECK: :[[#@LINE+1]]:28: error: hpf: found 'balance', which needs loads that are known, expected it in redistribute
  #pragma hpf distribute A(balance(sizes)) onto P
  // CHECK: :[[#@LINE+1]]:37: error: hpf: found ')', expected '('
  #pragma hpf redistribute A(balance)
  // CHECK: :[[#@LINE+1]]:28: error: hpf: found 'balance', which needs loads that are known, expected it in redistribute
  #pragma hpf distribute A(balance(measured)) onto P
  // CHECK: :[[#@LINE+1]]:47: error: hpf: found ')', expected an expression
  #pragma hpf redistribute A(balance(measured,))
  // CHECK: :[[#@LINE+1]]:53: error: hpf: found ',', expected ')'
  #pragma hpf redistribute A(balance(measured, sizes, sizes))
  // CHECK: :[[#@LINE+1]]:37: error: hpf: found ')', expected '('
  #pragma hpf distribute A(gen_block) onto P
  // CHECK: :[[#@LINE+1]]:46: error: hpf: found 'in', expected onto PROCESSORS, extent(N) or :: ARRAYS
  #pragma hpf distribute A(gen_block(sizes)) in P
  // CHECK: :[[#@LINE+1]]:53: error: hpf: found 'onto', expected it once
  #pragma hpf distribute A(gen_block(sizes)) onto P onto P
  // CHECK: :[[#@LINE+1]]:44: error: hpf: found the end of the line, expected ':: ' and the names of arrays
  #pragma hpf distribute (gen_block(sizes))
  // CHECK: :[[#@LINE+1]]:48: error: hpf: found 'on', expected onto PROCESSORS, extent(N), schedule(NAME) or :: ARRAYS
  #pragma hpf redistribute A(gen_block(sizes)) on P
  // CHECK: :[[#@LINE+1]]:58: error: hpf: found 'extent', expected it once
  #pragma hpf redistribute A(gen_block(sizes)) extent(5) extent(5)
  // CHECK: :[[#@LINE+1]]:23: error: hpf: found the end of the line, expected '('
  #pragma hpf shadow A
  // CHECK: :[[#@LINE+1]]:27: error: hpf: found ':', expected ')' or ','
  #pragma hpf shadow A(1:1:1)
  // CHECK: :[[#@LINE+1]]:25: error: hpf: found 'corner', expected periodic, periodic(P, ...), corners or the end of the directive
  #pragma hpf reflect A corner
  // CHECK: :[[#@LINE+1]]:29: error: hpf: found 'corners', expected the end of the directive
  #pragma hpf reflect_end A corners
  // CHECK: :[[#@LINE+1]]:26: error: hpf: found '3', expected the name of an array
  #pragma hpf dynamic A, 3
  // CHECK: :[[#@LINE+1]]:3: error: hpf: written by the operator _Pragma, expected a line #pragma hpf ... of its own
  _Pragma("hpf dynamic A")
#define WRITE(text) _Pragma(#text)
  // CHECK: :[[#@LINE+1]]:3: error: hpf: written by the operator _Pragma
  WRITE(hpf dynamic A)
  (void)A, (void)B, (void)sizes;
  // CHECK: :[[#@LINE+1]]:24: error: hpf: found '(', expected the name of the template
  #pragma hpf template (6)
  // CHECK: :[[#@LINE+1]]:25: error: hpf: found the end of the line, expected '('
  #pragma hpf template T
  // CHECK: :[[#@LINE+1]]:29: error: hpf: found 'onto', expected the end of the directive
  #pragma hpf template T(6) onto P
  // CHECK: :[[#@LINE+1]]:25: error: hpf: found the end of the line, expected with ARRAY(...) or with TEMPLATE(...)
  #pragma hpf align B(i)
  // CHECK: :[[#@LINE+1]]:23: error: hpf: found '3', expected a name for the index, such as i, or *
  #pragma hpf align B(3) with A(i)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: found 'i', expected another name for each index
  #pragma hpf align B(i, i) with A(i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: found '2 * i', expected an index of the aligned array, an index + a shift, or *
  #pragma hpf align B(i) with A(2 * i)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: found 'i - 1', expected an index of the aligned array, an index + a shift, or *
  #pragma hpf align B(i) with A(i - 1)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: found 'j', expected an index of the aligned array, an index + a shift, or *
  #pragma hpf align B(i) with A(j)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: found '0', expected an index of the aligned array, an index + a shift, or *
  #pragma hpf align B(i) with A(0)
  // CHECK: :[[#@LINE+1]]:33: error: hpf: found 'i +', expected an index of the aligned array, an index + a shift, or *
  #pragma hpf align B(i) with A(i +)
  // CHECK: :[[#@LINE+1]]:36: error: hpf: 'i' stands here a second time, expected it once
  #pragma hpf align B(i) with A(i, i)
  // CHECK: :[[#@LINE+1]]:26: error: hpf: 'j' lies along no dimension of 'A', expected *
  #pragma hpf align B(i, j) with A(i)
  // CHECK: :[[#@LINE+1]]:36: error: hpf: found 'onto', expected extent(N), :: ARRAYS or the end of the directive
  #pragma hpf align B(i) with A(i) onto P
  // CHECK: :[[#@LINE+1]]:49: error: hpf: found 'extent', expected it once
  #pragma hpf align B(i, *) with A(i) extent(1) extent(2)
  // CHECK: :[[#@LINE+1]]:38: error: hpf: found 'extent', expected :: ARRAYS or the end of the directive
  #pragma hpf realign B(i) with A(i) extent(2)
  // CHECK: :[[#@LINE+1]]:36: error: hpf: found the end of the line, expected ':: ' and the names of arrays
  #pragma hpf realign (i) with A(i)
}
