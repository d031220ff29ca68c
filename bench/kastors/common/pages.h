//===-- pages.h - Memory whose pages have no place yet --------------------===//
//
// Placement is a property of pages. So that it is exact, what is placed by
// itself has pages of its own; huge pages are refused, and the kernel is told
// not to move pages later.
//
//===----------------------------------------------------------------------===//

#ifndef KASTORS_PAGES_H
#define KASTORS_PAGES_H

#include <cstddef>
#include <cstdint>
#include <omp.h>

namespace kastors {

/// Bytes of a page.
size_t pageSize();

/// \returns \p Bytes, rounded up to whole pages.
uint64_t wholePages(uint64_t Bytes);

/// Memory of whole pages. No page exists until it is first written.
class Pages {
public:
  /// Fails where the address space ends.
  explicit Pages(size_t Bytes);
  /// Memory of an OpenMP allocator that has whole pages, where that puts them.
  /// Fails if it has none.
  Pages(size_t Bytes, omp_allocator_handle_t Allocator);
  ~Pages();
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  char *begin() const { return Base; }
  size_t bytes() const { return Size; }

  /// Gives all pages back: the next write to each is a first touch again, or,
  /// if an allocator has placed it, puts it there again. No thread may use the
  /// memory meanwhile.
  void drop();

private:
  size_t Size;
  char *Base;
  /// Null: the kernel's.
  omp_allocator_handle_t Allocator = omp_allocator_handle_t();
};

} // namespace kastors

#endif // KASTORS_PAGES_H
