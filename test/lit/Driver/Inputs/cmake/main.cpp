#include "count.c"
#include <vector>

int main() {
  std::vector<int> Tasks(1, count());
  return Tasks.back() == 10 ? 0 : 1;
}
