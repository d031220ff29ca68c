//===-- blocks.cpp - A square matrix in blocks of whole pages -------------===//

#include "blocks.h"
#include "fail.h"
#include "memory.h"

#include <cerrno>
#include <cstring>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace kastors;

static uint64_t strideFor(uint64_t Order) {
  uint64_t Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t Bytes = Order * Order * sizeof(double);
  return (Bytes + Page - 1) / Page * Page;
}

uint64_t BlockMatrix::bytesFor(uint64_t Side, uint64_t Order) {
  return Side * Side * strideFor(Order);
}

BlockMatrix::BlockMatrix(size_t Side, size_t Order)
    : Side(Side), Order(Order), Stride(strideFor(Order)),
      Bytes(bytesFor(Side, Order)) {
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    fail("not enough memory: mmap of %s: %s (a limit of ulimit -v?); take a "
         "smaller matrix",
         bytesToText(Bytes).c_str(), std::strerror(errno));
  Base = static_cast<char *>(Memory);
  // A kernel built without huge pages answers EINVAL: nothing to refuse then.
  if (madvise(Base, Bytes, MADV_NOHUGEPAGE) != 0 && errno != EINVAL)
    fail("madvise(MADV_NOHUGEPAGE): %s", std::strerror(errno));
  // First touch, as without a policy; but memory with one is left alone by the
  // kernel's automatic NUMA balancing, which moves pages while threads wait.
  // Kernels without NUMA and sandboxes refuse: the placement meter shows what
  // comes of it.
  if (syscall(SYS_mbind, Base, Bytes, MPOL_LOCAL, nullptr, 0, 0) != 0 &&
      errno != ENOSYS && errno != EPERM)
    fail("mbind(MPOL_LOCAL): %s", std::strerror(errno));
}

BlockMatrix::~BlockMatrix() { munmap(Base, Bytes); }

void BlockMatrix::dropPages() {
  if (madvise(Base, Bytes, MADV_DONTNEED) != 0)
    fail("madvise(MADV_DONTNEED): %s", std::strerror(errno));
}
