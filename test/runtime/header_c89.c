/* omp.h in a program of C89. gcc takes it as -std=gnu89: omp.h has C++'s comments.

   RUN: %clang -std=c89 %s -o %t
   RUN: %run %t
*/

#include <omp.h>

int main(void) {
  return omp_get_num_threads() != 1 || !omp_is_initial_device();
}
