//===-- pages.cpp - Memory whose pages have no place yet ------------------===//

#include "pages.h"
#include "memory.h"
#include "program.h"

#include <cerrno>
#include <cstring>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kastors;

// gcc's runtime has them since version 11. Who does not ask for an allocator
// does without.
#pragma weak omp_alloc
#pragma weak omp_free

size_t kastors::pageSize() {
  static const size_t Size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return Size;
}

uint64_t kastors::wholePages(uint64_t Bytes) {
  return (Bytes + pageSize() - 1) / pageSize() * pageSize();
}

Pages::Pages(size_t Bytes) : Size(wholePages(Bytes)) {
  void *Memory = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    benchFail(
        "not enough memory: mmap of %s: %s (a limit of ulimit -v?); take a "
        "smaller problem",
        bytesToText(Size).c_str(), std::strerror(errno));
  Base = static_cast<char *>(Memory);
  // A kernel built without huge pages answers EINVAL: nothing to refuse then.
  if (madvise(Base, Size, MADV_NOHUGEPAGE) != 0 && errno != EINVAL)
    benchFail("madvise(MADV_NOHUGEPAGE): %s", std::strerror(errno));
  // First touch, as without a policy; but memory with one is left alone by the
  // kernel's automatic NUMA balancing, which moves pages while threads wait.
  // Kernels without NUMA and sandboxes refuse: the placement meter shows what
  // comes of it.
  if (syscall(SYS_mbind, Base, Size, MPOL_LOCAL, nullptr, 0, 0) != 0 &&
      errno != ENOSYS && errno != EPERM)
    benchFail("mbind(MPOL_LOCAL): %s", std::strerror(errno));
}

Pages::Pages(size_t Bytes, omp_allocator_handle_t Allocator)
    : Size(wholePages(Bytes)), Base(nullptr), Allocator(Allocator) {
  if (!omp_alloc || !omp_free)
    benchFail("the OpenMP runtime has no omp_alloc: gcc's has it since 11");
  Base = static_cast<char *>(omp_alloc(Size, Allocator));
  if (!Base)
    benchFail("omp_alloc has no %s; take a smaller problem",
              bytesToText(Size).c_str());
}

Pages::~Pages() {
  if (Allocator != omp_allocator_handle_t())
    omp_free(Base, Allocator);
  else
    munmap(Base, Size);
}

void Pages::drop() {
  if (madvise(Base, Size, MADV_DONTNEED) != 0)
    benchFail("madvise(MADV_DONTNEED): %s", std::strerror(errno));
}
