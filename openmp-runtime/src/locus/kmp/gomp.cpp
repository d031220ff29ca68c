//===- kmp/gomp.cpp - More of gcc's entry points --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry points that gcc's programs call and libomp lacks: target constructs,
// which run on the host, and what OpenMP 5.1 and gcc 13 and 14 added.
// docs/gcc.md lists them.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/gomp.h"
#include "kmp_i18n.h"
#include "locus/kmp/hooks.h"
#include "locus/support/host.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

extern "C" {

// Libomp's, defined in kmp_gsupport.cpp.
void KMP_EXPAND_NAME(GOMP_task)(void (*Function)(void *), void *Data,
                                void (*Copy)(void *, void *), long Size,
                                long Align, bool If, unsigned Flags,
                                void **Depend, int Priority, void *Detach);
bool KMP_EXPAND_NAME(GOMP_loop_start)(long Start, long End, long Increment,
                                      long Schedule, long Chunk, long *First,
                                      long *Last, uintptr_t *Reductions,
                                      void **Memory);
}

namespace {

/// The number of a device that the compiler passes for `if(0)`.
constexpr int IfZero = -2;

/// GOMP_task's flag for dependences.
constexpr unsigned WithDepend = 8;

/// Map kinds: the low byte says what, the high one the alignment's logarithm.
constexpr unsigned char FirstPrivate = 12;

/// Ends the program if it must not run on the host.
void checkHost(int Device) {
  __kmp_entry_gtid(); // reads the environment
  if (__kmp_target_offload == tgt_mandatory && Device != IfZero &&
      Device != KMP_EXPAND_NAME(omp_get_initial_device)())
    KMP_FATAL(GompFeatureNotSupported,
              "target on a device, as OMP_TARGET_OFFLOAD=mandatory demands");
}

/// The dependences of a target construct, which runs at once.
void waitFor(void **Depend) {
  if (Depend)
    KMP_EXPAND_NAME(GOMP_taskwait_depend)(Depend);
}

/// Runs a target region on the host in a team of its own thread alone.
void runRegion(void (*Function)(void *), void *Data) {
  const kmp_int32 Thread = __kmp_entry_gtid();
  ident_t Location = {0, KMP_IDENT_KMPC, 0, 0, ";unknown;target;0;0;;"};
  __kmpc_serialized_parallel(&Location, Thread);
  Function(Data);
  __kmpc_end_serialized_parallel(&Location, Thread);
}

struct Copies {
  size_t Count;
  void **Addresses;
  const size_t *Sizes;
  const unsigned short *Kinds;

  /// Calls \p Do(I, Offset) for each firstprivate variable, whose copy has a
  /// place at Offset; returns the bytes of all.
  template <class Action> size_t forEach(uintptr_t Start, Action Do) const {
    uintptr_t End = Start;
    for (size_t I = 0; I < Count; ++I) {
      if ((Kinds[I] & 0xff) != FirstPrivate)
        continue;
      const uintptr_t Align = uintptr_t(1) << (Kinds[I] >> 8);
      End = (End + Align - 1) & ~(Align - 1);
      Do(I, End);
      End += Sizes[I];
    }
    return End - Start;
  }
};

/// Which memory of Fortran's variables is from omp_alloc.
class Allocated {
public:
  void add(void *Memory) {
    Entry *New = static_cast<Entry *>(malloc(sizeof(Entry)));
    if (!New)
      KMP_FATAL(MemoryAllocFailed);
    Entry *&First = listOf(Memory);
    locus::LockGuard Guard(Lock);
    *New = {Memory, First};
    First = New;
  }

  /// Returns whether \p Memory was here.
  bool remove(void *Memory) {
    Entry *Found;
    {
      Entry **Link = &listOf(Memory);
      locus::LockGuard Guard(Lock);
      while (*Link && (*Link)->Memory != Memory)
        Link = &(*Link)->Next;
      Found = *Link;
      if (Found)
        *Link = Found->Next;
    }
    free(Found);
    return Found;
  }

private:
  struct Entry {
    void *Memory;
    Entry *Next;
  };

  Entry *&listOf(void *Memory) {
    // Memory of allocators is aligned: its last bits say nothing.
    const uint64_t Bits = reinterpret_cast<uintptr_t>(Memory) >> 4;
    return Lists[Bits * 0x9E3779B97F4A7C15 >> (64 - LogLists)];
  }

  static constexpr int LogLists = 10;
  locus::SpinLock Lock;
  Entry *Lists[1 << LogLists] = {};
};

Allocated FromAllocators;

} // namespace

extern "C" {

// Target constructs.

GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_target_ext,
           (int Device, void (*Function)(void *), size_t Count,
            void **Addresses, size_t *Sizes, unsigned short *Kinds, unsigned,
            void **Depend, void **)) {
  checkHost(Device);
  const Copies Private = {Count, Addresses, Sizes, Kinds};
  uintptr_t Largest = 1;
  const size_t Bytes = Private.forEach(0, [&](size_t I, uintptr_t) {
    const uintptr_t Align = uintptr_t(1) << (Kinds[I] >> 8);
    Largest = KMP_MAX(Largest, Align);
  });
  if (Bytes) {
    // The compiler's array of addresses is for this construct alone.
    const uintptr_t Memory =
        reinterpret_cast<uintptr_t>(KMP_ALLOCA(Bytes + Largest));
    const uintptr_t Start = (Memory + Largest - 1) & ~(Largest - 1);
    Private.forEach(Start, [&](size_t I, uintptr_t Place) {
      void *Copy = reinterpret_cast<void *>(Place);
      KMP_MEMCPY(Copy, Addresses[I], Sizes[I]);
      Addresses[I] = Copy;
    });
  }
  waitFor(Depend);
  runRegion(Function, Addresses);
}

GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_target_data_ext,
           (int Device, size_t, void **, size_t *, unsigned short *)) {
  checkHost(Device);
}

GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_target_update_ext,
           (int Device, size_t, void **, size_t *, unsigned short *, unsigned,
            void **Depend)) {
  checkHost(Device);
  waitFor(Depend);
}

GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_target_enter_exit_data,
           (int Device, size_t, void **, size_t *, unsigned short *, unsigned,
            void **Depend)) {
  checkHost(Device);
  waitFor(Depend);
}

/// Asked before each team of a target region whether there is one more. The
/// host has one: omp_get_num_teams() says 1 there.
GOMP_ENTRY("GOMP_5.1", 51, bool, GOMP_teams4,
           (unsigned, unsigned, unsigned, bool First)) {
  return First;
}

// There is no device that could use the images.
GOMP_ENTRY("GOMP_4.0.1", 401, void, GOMP_offload_register,
           (const void *, int, const void *)) {}
GOMP_ENTRY("GOMP_4.0.1", 401, void, GOMP_offload_unregister,
           (const void *, int, const void *)) {}
GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_offload_register_ver,
           (unsigned, const void *, int, const void *)) {}
GOMP_ENTRY("GOMP_4.5", 45, void, GOMP_offload_unregister_ver,
           (unsigned, const void *, int, const void *)) {}

// The scope and error directives.

GOMP_ENTRY("GOMP_5.1", 51, void, GOMP_scope_start, (uintptr_t *Reductions)) {
  // A loop without iterations, for its task reductions.
  if (Reductions)
    KMP_EXPAND_NAME(GOMP_loop_start)
  (0, 0, 1, 0, 0, nullptr, nullptr, Reductions, nullptr);
}

/// Says the program's \p Text of \p Length bytes, or up to its end if that is
/// SIZE_MAX; there need not be one.
static void say(int Severity, const char *Text, size_t Length) {
  char *Copy = nullptr;
  if (Text && Length != SIZE_MAX) {
    Copy = __kmp_str_format("%.*s", (int)KMP_MIN(Length, INT_MAX), Text);
    Text = Copy;
  }
  __kmp_entry_gtid(); // reads the environment
  __kmpc_error(nullptr, Severity, Text ? Text : "no message");
  __kmp_str_free(&Copy);
}

GOMP_ENTRY("GOMP_5.1", 51, void, GOMP_warning,
           (const char *Text, size_t Length)) {
  say(severity_warning, Text, Length);
}

GOMP_ENTRY("GOMP_5.1", 51, void, GOMP_error,
           (const char *Text, size_t Length)) {
  say(severity_fatal, Text, Length);
}

// Gcc 13 and 14.

GOMP_ENTRY("GOMP_5.1.1", 511, void, GOMP_taskwait_depend_nowait,
           (void **Depend)) {
  KMP_EXPAND_NAME(GOMP_task)
  ([](void *) {}, nullptr, nullptr, 0, 1, /*If=*/true, WithDepend, Depend, 0,
   nullptr);
}

/// A procedure's address on the device, here the host.
GOMP_ENTRY("GOMP_5.1.2", 512, void *, GOMP_target_map_indirect_ptr,
           (void *Pointer)) {
  return Pointer;
}

/// gfortran -fopenmp-allocators has allocated a variable by omp_alloc.
GOMP_ENTRY("GOMP_5.1.2", 512, void, GOMP_add_alloc, (void *Memory)) {
  if (Memory)
    FromAllocators.add(Memory);
}

/// Whether it has. It frees the variable then, by omp_free.
GOMP_ENTRY("GOMP_5.1.2", 512, bool, GOMP_is_alloc, (void *Memory)) {
  return Memory && FromAllocators.remove(Memory);
}

} // extern "C"

//===----------------------------------------------------------------------===//
// Both runtimes in one process
//===----------------------------------------------------------------------===//

// Nothing else tells the user: the program runs, with all its threads on one
// processor.
void locus::warnOfLibgomp() {
  const char *Bind = getenv("OMP_PROC_BIND");
  if (isStock() || __kmp_avail_proc == __kmp_xproc ||
      (Bind && strcasecmp(Bind, "false") == 0) ||
      !(Bind || getenv("OMP_PLACES") || getenv("GOMP_CPU_AFFINITY")))
    return;
  void *Library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!Library)
    return;
  Dl_info Theirs, Ours;
  void *Symbol = dlsym(Library, "GOMP_parallel");
  // It may be this runtime under that name.
  if (Symbol && dladdr(Symbol, &Theirs) &&
      dladdr(reinterpret_cast<void *>(locus::warnOfLibgomp), &Ours) &&
      Theirs.dli_fbase != Ours.dli_fbase)
    locus::warn(
        "libgomp is loaded as well, and has bound all threads to one "
        "place, as the environment asks for binding. Instead of preloading "
        "this runtime set LD_LIBRARY_PATH to the folder compat beside it, "
        "where it has the name libgomp.so.1; or bind by KMP_AFFINITY alone.");
  dlclose(Library);
}
