//===- kmp/gomp_names.cpp - Names that only libgomp has -------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Routines of OpenMP under the names and symbol versions that gcc's programs
// ask for: those of gfortran with -fdefault-integer-8, and the versions of
// libgomp that libomp does not have. docs/gcc.md lists what is left out.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/gomp.h"

#include <limits.h>

// Libomp's, defined in kmp_ftn_entry.h.
extern "C" {
void KMP_EXPAND_NAME(omp_set_schedule)(kmp_sched_t, int);
void KMP_EXPAND_NAME(omp_get_schedule)(kmp_sched_t *, int *);
void KMP_EXPAND_NAME(omp_get_place_proc_ids)(int, int *);
int KMP_EXPAND_NAME(omp_get_partition_num_places)(void);
void KMP_EXPAND_NAME(omp_get_partition_place_nums)(int *);
int omp_in_explicit_task(void);
}

namespace {

/// The number that is next to \p Number among those of an int.
int toInt(int64_t Number) {
  return static_cast<int>(
      KMP_MAX(INT_MIN, KMP_MIN(Number, static_cast<int64_t>(INT_MAX))));
}

/// Makes the \p Count ints at the beginning of \p Numbers long ones, in place.
void widen(int64_t *Numbers, int Count) {
  const int *Narrow = reinterpret_cast<int *>(Numbers);
  for (int I = Count - 1; I >= 0; --I) {
    int Number;
    memcpy(&Number, Narrow + I, sizeof(Number));
    Numbers[I] = Number;
  }
}

/// Reads the environment, if nobody has. Returns the thread's number.
int thread() { return __kmp_entry_gtid(); }

} // namespace

extern "C" {

// gfortran -fdefault-integer-8: all arguments by address.

/// Defines the routine for one that takes a single number.
#define GOMP_8(Version, Digits, Result, Name)                                  \
  Result KMP_EXPAND_NAME(Name)(int);                                           \
  GOMP_ENTRY(Version, Digits, Result, Name##_8_, (const int64_t *Number)) {    \
    return KMP_EXPAND_NAME(Name)(toInt(*Number));                              \
  }

GOMP_8("OMP_1.0", 10, void, omp_set_dynamic)
GOMP_8("OMP_1.0", 10, void, omp_set_nested)
GOMP_8("OMP_1.0", 10, void, omp_set_num_threads)
GOMP_8("OMP_3.0", 30, void, omp_set_max_active_levels)
GOMP_8("OMP_3.0", 30, int, omp_get_ancestor_thread_num)
GOMP_8("OMP_3.0", 30, int, omp_get_team_size)
GOMP_8("OMP_4.0", 40, void, omp_set_default_device)
GOMP_8("OMP_4.5", 45, int, omp_get_place_num_procs)

GOMP_ENTRY("OMP_3.0", 30, void, omp_set_schedule_8_,
           (const int32_t *Kind, const int64_t *Chunk)) {
  KMP_EXPAND_NAME(omp_set_schedule)
  (static_cast<kmp_sched_t>(*Kind), toInt(*Chunk));
}
GOMP_ENTRY("OMP_3.0", 30, void, omp_get_schedule_8_,
           (int32_t *Kind, int64_t *Chunk)) {
  kmp_sched_t OwnKind;
  int OwnChunk;
  KMP_EXPAND_NAME(omp_get_schedule)(&OwnKind, &OwnChunk);
  *Kind = OwnKind;
  *Chunk = OwnChunk;
}
GOMP_ENTRY("OMP_4.5", 45, void, omp_get_place_proc_ids_8_,
           (const int64_t *Place, int64_t *Ids)) {
  const int Number = toInt(*Place);
  KMP_EXPAND_NAME(omp_get_place_proc_ids)(Number, (int *)Ids);
  widen(Ids, KMP_EXPAND_NAME(omp_get_place_num_procs)(Number));
}
GOMP_ENTRY("OMP_4.5", 45, void, omp_get_partition_place_nums_8_,
           (int64_t *Places)) {
  KMP_EXPAND_NAME(omp_get_partition_place_nums)((int *)Places);
  widen(Places, KMP_EXPAND_NAME(omp_get_partition_num_places)());
}
GOMP_ENTRY("OMP_5.1", 51, void, omp_set_num_teams_8_, (const int64_t *Teams)) {
  thread();
  __kmp_set_num_teams(toInt(*Teams));
}
GOMP_ENTRY("OMP_5.1", 51, void, omp_set_teams_thread_limit_8_,
           (const int64_t *Limit)) {
  thread();
  __kmp_set_teams_thread_limit(toInt(*Limit));
}
GOMP_ENTRY("OMP_5.0.1", 501, omp_allocator_handle_t, omp_init_allocator_8_,
           (omp_memspace_handle_t const *Space, const int64_t *Count,
            omp_alloctrait_t *Traits)) {
  return __kmpc_init_allocator(thread(), *Space, toInt(*Count), Traits);
}
GOMP_ENTRY("OMP_5.1", 51, void, omp_display_env_8_, (const int64_t *Verbose)) {
  __kmp_omp_display_env(*Verbose != 0);
}

#ifdef KMP_USE_VERSION_SYMBOLS

// Libgomp's versions of what libomp exports without one.

/// Defines \p Result \p Name \p Parameters at libgomp's \p Version, beside
/// libomp's own, by an \p Expression.
#define GOMP_VERSION(Version, Result, Name, Parameters, Expression)            \
  GOMP_ONLY(Version, Result, Name, Parameters) { return Expression; }
/// The same for C and for Fortran.
#define GOMP_BOTH(Version, Result, Name, Parameters, Expression)               \
  GOMP_VERSION(Version, Result, Name, Parameters, Expression)                  \
  GOMP_VERSION(Version, Result, Name##_, Parameters, Expression)
/// The same with one argument, which Fortran passes by address.
#define GOMP_BOTH_OF(Version, Name, Type, Argument, Expression)                \
  GOMP_VERSION(Version, void, Name, (Type Argument), Expression)               \
  GOMP_ONLY(Version, void, Name##_, (Type const *Address)) {                   \
    const Type Argument = *Address;                                            \
    return Expression;                                                         \
  }

using Allocator = omp_allocator_handle_t;
using Space = omp_memspace_handle_t;

GOMP_VERSION("OMP_5.0.1", void *, omp_alloc, (size_t Size, Allocator From),
             __kmp_alloc(thread(), 0, Size, From))
GOMP_VERSION("OMP_5.0.1", void, omp_free, (void *Memory, Allocator From),
             ___kmpc_free(thread(), Memory, From))
GOMP_VERSION("OMP_5.0.2", void *, omp_aligned_alloc,
             (size_t Align, size_t Size, Allocator From),
             __kmp_alloc(thread(), Align, Size, From))
GOMP_VERSION("OMP_5.0.2", void *, omp_calloc,
             (size_t Count, size_t Size, Allocator From),
             __kmp_calloc(thread(), 0, Count, Size, From))
GOMP_VERSION("OMP_5.0.2", void *, omp_aligned_calloc,
             (size_t Align, size_t Count, size_t Size, Allocator From),
             __kmp_calloc(thread(), Align, Count, Size, From))
GOMP_VERSION("OMP_5.0.2", void *, omp_realloc,
             (void *Memory, size_t Size, Allocator From, Allocator Old),
             __kmp_realloc(thread(), Memory, Size, From, Old))

GOMP_VERSION("OMP_5.0.1", Allocator, omp_init_allocator,
             (Space In, int Count, omp_alloctrait_t *Traits),
             __kmpc_init_allocator(thread(), In, Count, Traits))
GOMP_VERSION("OMP_5.0.1", Allocator, omp_init_allocator_,
             (Space const *In, const int *Count, omp_alloctrait_t *Traits),
             __kmpc_init_allocator(thread(), *In, *Count, Traits))
GOMP_BOTH_OF("OMP_5.0.1", omp_destroy_allocator, Allocator, Which,
             __kmpc_destroy_allocator(thread(), Which))
GOMP_BOTH_OF("OMP_5.0.1", omp_set_default_allocator, Allocator, Which,
             __kmpc_set_default_allocator(thread(), Which))
GOMP_BOTH("OMP_5.0.1", Allocator, omp_get_default_allocator, (),
          __kmpc_get_default_allocator(thread()))

// By value in Fortran too.
GOMP_BOTH("OMP_5.0.1", void, omp_fulfill_event, (kmp_event_t * Event),
          __kmp_fulfill_event(Event))
GOMP_BOTH("OMP_5.0.1", int, omp_get_supported_active_levels, (),
          KMP_MAX_ACTIVE_LEVELS_LIMIT)
GOMP_BOTH("OMP_5.0.2", int, omp_get_device_num, (),
          KMP_EXPAND_NAME(omp_get_initial_device)())

GOMP_BOTH_OF("OMP_5.1", omp_display_env, int, Verbose,
             __kmp_omp_display_env(Verbose))
GOMP_BOTH("OMP_5.1", int, omp_get_max_teams, (),
          (thread(), __kmp_get_max_teams()))
GOMP_BOTH_OF("OMP_5.1", omp_set_num_teams, int, Number,
             (thread(), __kmp_set_num_teams(Number)))
GOMP_BOTH("OMP_5.1", int, omp_get_teams_thread_limit, (),
          (thread(), __kmp_get_teams_thread_limit()))
GOMP_BOTH_OF("OMP_5.1", omp_set_teams_thread_limit, int, Limit,
             (thread(), __kmp_set_teams_thread_limit(Limit)))

GOMP_BOTH("OMP_5.2", int, omp_in_explicit_task, (), omp_in_explicit_task())
#endif // KMP_USE_VERSION_SYMBOLS

} // extern "C"
