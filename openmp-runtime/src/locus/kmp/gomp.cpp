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

#include "kmp.h"
#include "kmp_i18n.h"
#include "locus/kmp/hooks.h"
#include "locus/support/host.h"
#include "locus/support/lock.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern "C" {

// Libomp's, defined in kmp_gsupport.cpp and kmp_ftn_entry.h.
void KMP_EXPAND_NAME(GOMP_task)(void (*Function)(void *), void *Data,
                                void (*Copy)(void *, void *), long Size,
                                long Align, bool If, unsigned Flags,
                                void **Depend, int Priority, void *Detach);
void KMP_EXPAND_NAME(GOMP_taskwait_depend)(void **Depend);
bool KMP_EXPAND_NAME(GOMP_loop_start)(long Start, long End, long Increment,
                                      long Schedule, long Chunk, long *First,
                                      long *Last, uintptr_t *Reductions,
                                      void **Memory);
int KMP_EXPAND_NAME(omp_get_initial_device)(void);
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

/// The dependences of a routine: \p Count variables of gcc's omp_depend_t, each
/// of two pointers, in \p List.
void waitFor(int Count, void *List) {
  if (Count <= 0)
    return;
  // 0, how many there are, and how many of these are no depobjs; addresses.
  constexpr int Head = 5;
  void **Depend =
      static_cast<void **>(KMP_ALLOCA((Head + Count) * sizeof(void *)));
  memset(Depend, 0, Head * sizeof(void *));
  Depend[1] = reinterpret_cast<void *>(static_cast<uintptr_t>(Count));
  for (int I = 0; I < Count; ++I)
    Depend[Head + I] = static_cast<void **>(List) + 2 * I;
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

void KMP_EXPAND_NAME(GOMP_target_ext)(int Device, void (*Function)(void *),
                                      size_t Count, void **Addresses,
                                      size_t *Sizes, unsigned short *Kinds,
                                      unsigned, void **Depend, void **) {
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

void KMP_EXPAND_NAME(GOMP_target_data_ext)(int Device, size_t, void **,
                                           size_t *, unsigned short *) {
  checkHost(Device);
}

void KMP_EXPAND_NAME(GOMP_target_update_ext)(int Device, size_t, void **,
                                             size_t *, unsigned short *,
                                             unsigned, void **Depend) {
  checkHost(Device);
  waitFor(Depend);
}

void KMP_EXPAND_NAME(GOMP_target_enter_exit_data)(int Device, size_t, void **,
                                                  size_t *, unsigned short *,
                                                  unsigned, void **Depend) {
  checkHost(Device);
  waitFor(Depend);
}

/// Asked before each team of a target region whether there is one more. The
/// host has one: omp_get_num_teams() says 1 there.
bool KMP_EXPAND_NAME(GOMP_teams4)(unsigned, unsigned, unsigned, bool First) {
  return First;
}

// There is no device that could use the images.
void KMP_EXPAND_NAME(GOMP_offload_register)(const void *, int, const void *) {}
void KMP_EXPAND_NAME(GOMP_offload_unregister)(const void *, int, const void *) {
}
void KMP_EXPAND_NAME(GOMP_offload_register_ver)(unsigned, const void *, int,
                                                const void *) {}
void KMP_EXPAND_NAME(GOMP_offload_unregister_ver)(unsigned, const void *, int,
                                                  const void *) {}

// The scope and error directives.

void KMP_EXPAND_NAME(GOMP_scope_start)(uintptr_t *Reductions) {
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

void KMP_EXPAND_NAME(GOMP_warning)(const char *Text, size_t Length) {
  say(severity_warning, Text, Length);
}

void KMP_EXPAND_NAME(GOMP_error)(const char *Text, size_t Length) {
  say(severity_fatal, Text, Length);
}

// Gcc 13 and 14.

void KMP_EXPAND_NAME(GOMP_taskwait_depend_nowait)(void **Depend) {
  KMP_EXPAND_NAME(GOMP_task)
  ([](void *) {}, nullptr, nullptr, 0, 1, /*If=*/true, WithDepend, Depend, 0,
   nullptr);
}

/// A procedure's address on the device, here the host.
void *KMP_EXPAND_NAME(GOMP_target_map_indirect_ptr)(void *Pointer) {
  return Pointer;
}

/// gfortran -fopenmp-allocators has allocated a variable by omp_alloc.
void KMP_EXPAND_NAME(GOMP_add_alloc)(void *Memory) {
  if (Memory)
    FromAllocators.add(Memory);
}

/// Whether it has. It frees the variable then, by omp_free.
bool KMP_EXPAND_NAME(GOMP_is_alloc)(void *Memory) {
  return Memory && FromAllocators.remove(Memory);
}

#ifdef KMP_USE_VERSION_SYMBOLS
KMP_VERSION_SYMBOL(GOMP_offload_register, 401, "GOMP_4.0.1");
KMP_VERSION_SYMBOL(GOMP_offload_unregister, 401, "GOMP_4.0.1");
KMP_VERSION_SYMBOL(GOMP_offload_register_ver, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_offload_unregister_ver, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_target_ext, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_target_data_ext, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_target_update_ext, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_target_enter_exit_data, 45, "GOMP_4.5");
KMP_VERSION_SYMBOL(GOMP_teams4, 51, "GOMP_5.1");
KMP_VERSION_SYMBOL(GOMP_scope_start, 51, "GOMP_5.1");
KMP_VERSION_SYMBOL(GOMP_warning, 51, "GOMP_5.1");
KMP_VERSION_SYMBOL(GOMP_error, 51, "GOMP_5.1");
KMP_VERSION_SYMBOL(GOMP_taskwait_depend_nowait, 511, "GOMP_5.1.1");
KMP_VERSION_SYMBOL(GOMP_target_map_indirect_ptr, 512, "GOMP_5.1.2");
KMP_VERSION_SYMBOL(GOMP_add_alloc, 512, "GOMP_5.1.2");
KMP_VERSION_SYMBOL(GOMP_is_alloc, 512, "GOMP_5.1.2");

// Memory of devices, of which the host is the only one. Under libgomp's names
// alone: libomptarget has these routines for programs of clang's.

#define GOMP_NAME(Name, Version)                                               \
  __asm__(".symver gomp_" #Name "," #Name "@" Version)

/// -1 is omp_initial_device of OpenMP 5.2, as programs of gcc 13 pass it.
static bool isHost(int Device) {
  return Device == KMP_EXPAND_NAME(omp_get_initial_device)() || Device == -1;
}

void *gomp_omp_target_alloc(size_t Size, int Device) {
  return isHost(Device) ? malloc(Size) : nullptr;
}

void gomp_omp_target_free(void *Memory, int Device) {
  if (isHost(Device))
    free(Memory);
}

int gomp_omp_target_is_present(const void *, int Device) {
  return isHost(Device);
}

int gomp_omp_target_memcpy(void *To, const void *From, size_t Length,
                           size_t ToOffset, size_t FromOffset, int ToDevice,
                           int FromDevice) {
  if (!isHost(ToDevice) || !isHost(FromDevice))
    return EINVAL;
  memcpy(static_cast<char *>(To) + ToOffset,
         static_cast<const char *>(From) + FromOffset, Length);
  return 0;
}

/// Copies the part of \p Volume elements of \p Element bytes from one array to
/// another, each with its own \p Sizes and its part at its \p Offsets.
static void copyPart(char *To, const char *From, size_t Element, int Dimensions,
                     const size_t *Volume, const size_t *ToOffsets,
                     const size_t *FromOffsets, const size_t *ToSizes,
                     const size_t *FromSizes) {
  size_t ToSlice = Element, FromSlice = Element;
  for (int I = 1; I < Dimensions; ++I) {
    ToSlice *= ToSizes[I];
    FromSlice *= FromSizes[I];
  }
  To += ToOffsets[0] * ToSlice;
  From += FromOffsets[0] * FromSlice;
  if (Dimensions == 1) {
    memcpy(To, From, Volume[0] * Element);
    return;
  }
  for (size_t I = 0; I < Volume[0]; ++I)
    copyPart(To + I * ToSlice, From + I * FromSlice, Element, Dimensions - 1,
             Volume + 1, ToOffsets + 1, FromOffsets + 1, ToSizes + 1,
             FromSizes + 1);
}

int gomp_omp_target_memcpy_rect(void *To, const void *From, size_t Element,
                                int Dimensions, const size_t *Volume,
                                const size_t *ToOffsets,
                                const size_t *FromOffsets,
                                const size_t *ToSizes, const size_t *FromSizes,
                                int ToDevice, int FromDevice) {
  if (!To && !From)
    return INT_MAX; // the question how many dimensions there may be
  if (!isHost(ToDevice) || !isHost(FromDevice) || Dimensions < 1)
    return EINVAL;
  copyPart(static_cast<char *>(To), static_cast<const char *>(From), Element,
           Dimensions, Volume, ToOffsets, FromOffsets, ToSizes, FromSizes);
  return 0;
}

// The copies are done when these return.

int gomp_omp_target_memcpy_async(void *To, const void *From, size_t Length,
                                 size_t ToOffset, size_t FromOffset,
                                 int ToDevice, int FromDevice, int Count,
                                 void *Depend) {
  waitFor(Count, Depend);
  return gomp_omp_target_memcpy(To, From, Length, ToOffset, FromOffset,
                                ToDevice, FromDevice);
}

int gomp_omp_target_memcpy_rect_async(
    void *To, const void *From, size_t Element, int Dimensions,
    const size_t *Volume, const size_t *ToOffsets, const size_t *FromOffsets,
    const size_t *ToSizes, const size_t *FromSizes, int ToDevice,
    int FromDevice, int Count, void *Depend) {
  waitFor(Count, Depend);
  return gomp_omp_target_memcpy_rect(To, From, Element, Dimensions, Volume,
                                     ToOffsets, FromOffsets, ToSizes, FromSizes,
                                     ToDevice, FromDevice);
}

void *gomp_omp_get_mapped_ptr(const void *Memory, int Device) {
  return isHost(Device) ? const_cast<void *>(Memory) : nullptr;
}

int gomp_omp_target_is_accessible(const void *, size_t, int Device) {
  return isHost(Device);
}

// The host's own memory can't be associated with other memory of the host.
int gomp_omp_target_associate_ptr(const void *, const void *, size_t, size_t,
                                  int) {
  return EINVAL;
}
int gomp_omp_target_disassociate_ptr(const void *, int) { return EINVAL; }

GOMP_NAME(omp_target_alloc, "OMP_4.5");
GOMP_NAME(omp_target_free, "OMP_4.5");
GOMP_NAME(omp_target_is_present, "OMP_4.5");
GOMP_NAME(omp_target_memcpy, "OMP_4.5");
GOMP_NAME(omp_target_memcpy_rect, "OMP_4.5");
GOMP_NAME(omp_target_memcpy_async, "OMP_5.1.1");
GOMP_NAME(omp_target_memcpy_rect_async, "OMP_5.1.1");
GOMP_NAME(omp_get_mapped_ptr, "OMP_5.1.1");
GOMP_NAME(omp_target_is_accessible, "OMP_5.1.1");
GOMP_NAME(omp_target_associate_ptr, "OMP_4.5");
GOMP_NAME(omp_target_disassociate_ptr, "OMP_4.5");
#endif // KMP_USE_VERSION_SYMBOLS

} // extern "C"

//===----------------------------------------------------------------------===//
// Both runtimes in one process
//===----------------------------------------------------------------------===//

// Nothing else tells the user: the program runs, with all its threads on one
// processor.
void locus::warnOfLibgomp() {
  const char *Bind = getenv("OMP_PROC_BIND");
  if (__kmp_avail_proc == __kmp_xproc ||
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
