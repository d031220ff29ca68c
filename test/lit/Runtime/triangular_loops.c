// RUN: %clang -w -fverify-intermediate-code -fopenmp -O0 %s -o %t && %t
// RUN: %clang -w -fverify-intermediate-code -fopenmp -O2 %s -o %t && %t
// RUN: %clangxx -x c++ -w -fverify-intermediate-code -fopenmp -O0 %s -o %t && %t
// RUN: %clang -Wconversion -Wsign-compare -Werror -fopenmp -DQUIET -fsyntax-only %s

// Nests of loops that are not rectangular: the iterations behind the end of a
// row ran, too, where the condition is 'var != b', or where the counter wraps
// around there; bounds were converted to the type of the outer counter, and
// deeper nests left iterations out, or never ended. The results are those of
// the same loops without OpenMP.

#include <limits.h>
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
    __VA_ARGS__ Wanted += (long)i * 31 + (long)j + 1000;                       \
    P(Directive collapse(2) reduction(+ : Is))                                 \
    __VA_ARGS__ Is += (long)i * 31 + (long)j + 1000;                           \
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

#define CASE3(Directive, ...)                                                  \
  {                                                                            \
    long Is = 0, Wanted = 0;                                                   \
    __VA_ARGS__ Wanted += 10000 * i + 100 * j + k;                             \
    P(Directive collapse(3) reduction(+ : Is))                                 \
    __VA_ARGS__ Is += 10000 * i + 100 * j + k;                                 \
    if (Is != Wanted) {                                                        \
      printf("%s, %s: %ld, not %ld\n", #Directive, #__VA_ARGS__, Is, Wanted);  \
      Failures++;                                                              \
    }                                                                          \
  }
#define DEEPER(Directive)                                                      \
  CASE3(Directive, for (unsigned i = 1; i < 5; ++i)                            \
                       for (unsigned j = i; j > 0; j--)                        \
                           for (unsigned k = j; k != 0; --k))                  \
  CASE3(Directive, for (int i = 0; i < 5; ++i)                                 \
                       for (int j = i + 5; j < 20; ++j)                        \
                           for (int k = j; k < 30; ++k))                       \
  CASE3(Directive, for (int i = 0; i < 5; ++i)                                 \
                       for (int j = i; j < i + 3; ++j)                         \
                           for (int k = j; k < 12; k += 2))                    \
  CASE3(Directive, for (int i = 5; i > 0; --i)                                 \
                       for (int j = 2 * i; j != i; --j)                        \
                           for (int k = -j; k <= j; ++k))                      \
  CASE3(Directive, for (int i = 0; i < 5; ++i)                                 \
                       for (int j = i + 20; j < 13; ++j)                       \
                           for (int k = i; k < 9; ++k))

// No iteration has the extreme values of 'j' that are computed, and the bounds
// of 'k' have wrapped around there.
#define ESTIMATED(Directive)                                                   \
  CASE3(Directive, for (int i = 0; i < 1; ++i)                                 \
                       for (int j = i; j < 35; j += 3)                         \
                           for (unsigned k = 0; k < 33 - j; ++k))              \
  CASE3(Directive, for (int i = 0; i < 20; ++i)                                \
                       for (int j = i; j < 2 * i - 10; ++j)                    \
                           for (int k = 0; k != j - 11; ++k))                  \
  CASE3(Directive, for (unsigned long i = 24; i != 25; ++i)                    \
                       for (unsigned long j = i - 1; j <= 34; j += 3)          \
                           for (unsigned long k = 31; k != j - 2; --k))        \
  CASE3(Directive, for (int i = 0; i < 2; ++i)                                 \
                       for (int j = i; j < 42; j += 3)                         \
                           for (unsigned k = 41 - j; k < 41; ++k))             \
  CASE3(Directive, for (int i = 0; i < 1; ++i)                                 \
                       for (int j = 35; j > i; j -= 3)                         \
                           for (unsigned k = 1; k <= j - 2; ++k))              \
  CASE3(Directive, for (unsigned i = 0; i < 1; ++i)                            \
                       for (unsigned j = i; j < 3500000000; j += 1000000000)   \
                           for (unsigned k = 0; k < j; k += 1000000000))       \
  CASE3(Directive, for (long i = 0; i < 1; ++i)                                \
                       for (long j = i; j < 2; ++j)                            \
                           for (int k = 0; k < 100 - j * 3000000000L; ++k))    \
  CASE3(Directive, for (int i = 0; i < 10; ++i)                                \
                       for (int j = i; j < 5; ++j)                             \
                           for (int k = i; k != 6; ++k))                       \
  CASE3(Directive, for (unsigned long i = 0; i < 10; ++i)                      \
                       for (unsigned long j = 3; j < i; ++j)                   \
                           for (unsigned long k = 0; k < i - 3; ++k))

// Far from zero, and near the limits.
#define LIMITS(Directive)                                                      \
  CASE(Directive, for (unsigned i = 0; i < 9; ++i)                             \
                      for (unsigned j = i; j != UINT_MAX; --j))                \
  CASE(Directive, for (unsigned i = 5; i < 9; ++i)                             \
                      for (unsigned j = i - 9; j != 0; ++j))                   \
  CASE(Directive, for (unsigned i = 0; i < 9; ++i)                             \
                      for (unsigned j = i - 5; j != 20; ++j))                  \
  CASE(Directive, for (int i = INT_MAX - 9; i < INT_MAX - 3; ++i)              \
                      for (int j = i; j < INT_MAX; ++j))                       \
  CASE(Directive, for (long i = LONG_MIN + 9; i > LONG_MIN + 3; --i)           \
                      for (long j = i; j > LONG_MIN; --j))                     \
  CASE(Directive, for (int i = 0; i < 5; ++i)                                  \
                      for (long j = Big + i; j < Big + 7; ++j))                \
  CASE(Directive, for (int i = 0; i < 5; ++i)                                  \
                      for (long j = Big + 7; j != Big + i; --j))               \
  CASE(Directive, for (short i = 5; i > 0; --i)                                \
                      for (unsigned long j = Big * i; j <= Big + 7; ++j))

static void pointers(void) {
  int Array[20];
  long Is = 0, Wanted = 0;
#define POINTERS                                                               \
  for (int *p = Array; p != Array + 10; ++p)                                   \
    for (int *q = p; q != Array + 15; ++q)
  POINTERS Wanted += 1000 + (q - Array);
#pragma omp taskloop collapse(2) reduction(+ : Is)
  POINTERS Is += 1000 + (q - Array);
  if (Is != Wanted) {
    printf("pointers: %ld, not %ld\n", Is, Wanted);
    Failures++;
  }
}

static int Starts;
static unsigned start(void) { return 10 + Starts++; }
static void evaluations(void) {
  long Is = 0;
#pragma omp for collapse(2)
  for (unsigned i = 0; i < 10; ++i)
    for (unsigned j = start(); j > i; --j)
      ++Is;
  if (Is != 55 || Starts != 1) {
    printf("start: %ld, not 55; %d times\n", Is, Starts);
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
  long Big = 1L << 40;
  LIMITS(taskloop)
  LIMITS(parallel for num_threads(2))
  DEEPER(taskloop)
  DEEPER(parallel for num_threads(2))
  ESTIMATED(taskloop)
  ESTIMATED(parallel for num_threads(2))
  pointers();
  evaluations();
  return Failures != 0;
}

#endif
