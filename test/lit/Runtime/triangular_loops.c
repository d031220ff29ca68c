// RUN: %clang -w -fopenmp -O0 %s -o %t && %t
// RUN: %clang -w -fopenmp -O2 %s -o %t && %t
// RUN: %clang -Wconversion -Wsign-compare -Werror -fopenmp -DQUIET -fsyntax-only %s

// Nests of loops that are not rectangular: the iterations behind the end of a
// row ran, too, where the condition is 'var != b', or where the counter wraps
// around there. The results are those of the same loops without OpenMP.

#include <stdio.h>

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)

#ifdef QUIET

// Nothing of what the compiler converts is worth a warning.
void quiet(short n, unsigned char c) {
#pragma omp taskloop collapse(2)
  for (short i = 0; i < n; ++i)
    for (short j = i; j != n; ++j)
      ;
#pragma omp taskloop collapse(2)
  for (unsigned char i = c; i > 0; --i)
    for (unsigned char j = i; j > 0; --j)
      ;
}

#else

static int Failures;

#define CASE(Directive, ...)                                                   \
  {                                                                            \
    long Is = 0, Wanted = 0;                                                   \
    __VA_ARGS__ Wanted += i * 31 + j + 1000;                                   \
    P(Directive collapse(2) reduction(+ : Is))                                 \
    __VA_ARGS__ Is += i * 31 + j + 1000;                                       \
    if (Is != Wanted) {                                                        \
      printf("%s, %s: %ld, not %ld\n", #Directive, #__VA_ARGS__, Is, Wanted);  \
      Failures++;                                                              \
    }                                                                          \
  }
#define NESTS(Directive, T)                                                    \
  CASE(Directive, for (T i = 8; i > 0; --i) for (T j = i; j > 0; --j))         \
  CASE(Directive, for (T i = 8; i > 0; --i) for (T j = i; j != 0; --j))        \
  CASE(Directive, for (T i = 8; i != 0; --i) for (T j = i; 0 != j; j -= 1))    \
  CASE(Directive, for (T i = 0; i < 8; ++i) for (T j = i; j != 9; ++j))        \
  CASE(Directive, for (T i = 0; i != 8; ++i) for (T j = 0; j != i; ++j))       \
  CASE(Directive, for (T i = 8; i > 0; --i) for (T j = 10; j >= i; --j))       \
  CASE(Directive, for (T i = 1; i < 8; ++i) for (T j = i - 1; j < 9; j += 3))  \
  CASE(Directive, for (T i = 1; i < 8; ++i) for (T j = 20; j > 2 * i; j -= 3)) \
  CASE(Directive, for (T i = 1; i < 8; ++i) for (T j = 4 * i; j > i; j--))     \
  CASE(Directive, for (T i = 1; i < 8; ++i) for (T j = i; j >= 1; j--))        \
  CASE(Directive, for (T i = 99; i < 105; ++i) for (T j = i; j <= 126; ++j))
#define DIRECTIVES(T)                                                          \
  NESTS(taskloop, T)                                                           \
  NESTS(taskloop simd grainsize(3), T)                                         \
  NESTS(parallel for num_threads(2), T)                                        \
  NESTS(parallel master taskloop num_threads(2), T)

static void deeper(void) {
  long Is = 0, Wanted = 0;
#define NEST                                                                   \
  for (unsigned i = 1; i < 5; ++i)                                             \
    for (unsigned j = i; j > 0; j--)                                           \
      for (unsigned k = j; k != 0; --k)
  NEST Wanted += 100 * i + 10 * j + k;
#pragma omp taskloop collapse(3) reduction(+ : Is)
  NEST Is += 100 * i + 10 * j + k;
  if (Is != Wanted) {
    printf("three loops: %ld, not %ld\n", Is, Wanted);
    Failures++;
  }
}

int main(void) {
  DIRECTIVES(int)
  DIRECTIVES(unsigned)
  DIRECTIVES(signed char)
  DIRECTIVES(unsigned char)
  DIRECTIVES(unsigned short)
  DIRECTIVES(long)
  DIRECTIVES(unsigned long)
  CASE(taskloop, for (unsigned char i = 250; i < 255; ++i)
                     for (unsigned char j = i; j < 255; ++j))
  CASE(taskloop, for (unsigned i = 0; i < 5; ++i)
                     for (unsigned j = 4294967290u + i; j < 4294967295u; ++j))
  CASE(taskloop, for (int i = 0; i < 5; ++i) for (unsigned j = i; j > 0; --j))
  CASE(taskloop, for (unsigned i = 0; i < 5; ++i) for (int j = i; j > 0; --j))
  deeper();
  return Failures != 0;
}

#endif
