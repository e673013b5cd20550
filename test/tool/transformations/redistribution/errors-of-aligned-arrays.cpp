// RUN: cd %T && %errors %cxx -std=c++20 %plugin -Wno-unused -ferror-limit=0 -c %s | %FileCheck %s --implicit-check-not=error:

#pragma hpf processors P(4)

void extents(int n) {
  double *A = nullptr, *B = nullptr, whole[20];
  #pragma hpf distribute A(block) onto P extent(n)
  {
    // CHECK: errors-of-aligned-arrays.cpp:[[#@LINE+1]]:28: error: hpf: the extent of this dimension of 'B' is not known, expected extent(...)
    #pragma hpf align B(i, *) with A(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:48: error: hpf: found 1 extent, expected 2, one for each dimension
    #pragma hpf align B(i, *) with A(i) extent(n)
  }
  {
    // CHECK: :[[#@LINE+1]]:51: error: hpf: '-3' is negative, expected the elements in that dimension
    #pragma hpf align B(i, *) with A(i) extent(*, -3)
  }
  {
    // CHECK: :[[#@LINE+1]]:49: error: hpf: '19' is 19, expected 20, as the type of 'whole' says
    #pragma hpf align whole(i) with A(i) extent(19)
  }
}

void names(int n) {
  double *A = nullptr, *B = nullptr, *undistributed = nullptr, *fresh = new double[3];
  #pragma hpf template T(n)
  #pragma hpf distribute A(block) onto P extent(n)
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: 'undistributed' is not distributed here, expected #pragma hpf distribute before, in this block or one around it
    #pragma hpf align B(i) with undistributed(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: 'T' is not distributed here, expected #pragma hpf distribute before, in this block or one around it
    #pragma hpf align B(i) with T(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: 'nothing' is not declared here, expected a variable that is declared earlier
    #pragma hpf align B(i) with nothing(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: 'names' is not a variable, expected a pointer to this rank's block in memory from malloc(), a std::vector, or an array
    #pragma hpf align B(i) with names(i)
  }
  {
    // CHECK: :[[#@LINE+1]]:33: error: hpf: 'B' is aligned with itself, expected another array
    #pragma hpf align B(i) with B(i)
  }
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'A' is distributed in line [[#@LINE-21]] already, expected realign
  #pragma hpf align A(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'fresh' points to memory of new in line [[#@LINE-25]], expected memory of malloc()
  #pragma hpf align fresh(i) with A(i)
}

// Variables of the unit, and of blocks.
double *kept, *late;
void blocks(int n) {
  double *A = nullptr, *B = nullptr, *C = nullptr, *D = nullptr;
  {
    double *inner = nullptr;
    #pragma hpf distribute inner(block) onto P extent(n)
  }
  #pragma hpf distribute A(block) onto P extent(n)
  // CHECK: :[[#@LINE+1]]:34: error: hpf: 'A' ends with its block, but 'kept' does not, expected an array that lives as long
  #pragma hpf align kept(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'B' is distributed in line [[#@LINE+4]], too, expected one of the two
  #pragma hpf align B(i) with A(i)
  {
    #pragma hpf align C(i) with A(i)
    #pragma hpf distribute B(block) onto P extent(n)
  }
  #pragma hpf align C(i) with A(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'C' is aligned in line [[#@LINE-1]] already, expected realign
  #pragma hpf align C(i) with A(i)
  // CHECK: :[[#@LINE+1]]:31: error: hpf: 'inner' is not declared here, expected a variable that is declared earlier
  #pragma hpf align D(i) with inner(i)
  // CHECK: :[[#@LINE+1]]:21: error: hpf: 'late' is distributed in line [[#@LINE+5]], too, expected one of the two
  #pragma hpf align late(i) with kept(i)
}
void elsewhere(int n) {
  double *A = nullptr;
  #pragma hpf distribute late(block) onto P extent(n)
  #pragma hpf distribute A(block) onto P extent(n)
  // CHECK: :[[#@LINE+2]]:33: error: hpf: 'A' belongs to the function that encloses the lambda in line [[#@LINE+1]], expected the lambda to capture by [&]
  auto lambda = [](double *&C) {
    #pragma hpf align C(i) with A(i)
  };
}
