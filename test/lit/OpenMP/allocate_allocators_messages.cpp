// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 %s

// The type of allocators is declared, and not all allocators: the second
// directive or clause crashed.

typedef void **omp_allocator_handle_t;
extern const omp_allocator_handle_t omp_default_mem_alloc;
extern const omp_allocator_handle_t omp_const_mem_alloc;

int a, b;
#pragma omp allocate(a) allocator(omp_const_mem_alloc) // expected-error {{'omp_allocator_handle_t' type not found; include <omp.h>}}
#pragma omp allocate(b) allocator(omp_const_mem_alloc) // expected-error {{'omp_allocator_handle_t' type not found; include <omp.h>}}
#pragma omp allocate(a)

void test(int n) {
#pragma omp task private(n) allocate(omp_const_mem_alloc : n) // expected-error {{'omp_allocator_handle_t' type not found; include <omp.h>}}
  ;
#pragma omp taskloop private(n) allocate(allocator(omp_default_mem_alloc) : n) // expected-error {{'omp_allocator_handle_t' type not found; include <omp.h>}}
  for (int i = 0; i < 3; ++i)
    ;
}

template <typename T> void generic(T n) {
#pragma omp task private(n) allocate(omp_const_mem_alloc : n) // expected-error {{'omp_allocator_handle_t' type not found; include <omp.h>}}
  ;
}
template void generic<int>(int);

int last() { return undeclared; } // expected-error {{use of undeclared identifier 'undeclared'}}
