// Checks the default number of threads: "one", or "all" for one a processor.

#include "../check.h"

int main(int Count, char **Words) {
  CHECK(Count == 2);
  CHECK_EQUAL(omp_get_max_threads(),
              strcmp(Words[1], "one") == 0 ? 1 : omp_get_num_procs(), Words[1]);
  return 0;
}
