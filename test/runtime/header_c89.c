/* omp.h in a program of C89, by clang, to which stock omp.h says a word that C89 does not have: inline.

   RUN: %clang -std=c89 %s -o %t
   RUN: %run %t
*/

#include <omp.h>

int main(void) {
  return omp_get_num_threads() != 1 || !omp_is_initial_device();
}
