//===- kmp/gomp_devices.cpp - Routines of libgomp about devices -----------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What programs of gcc call to use the memory of devices, to find a device, and
// to share work with other libraries (interop). The host is the only device,
// and there is no foreign runtime. Under libgomp's names and versions alone:
// libomptarget has these routines for programs of clang's.
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/gomp.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef KMP_USE_VERSION_SYMBOLS

namespace {

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

/// Numbers of gcc's omp.h.
constexpr int InvalidDevice = -4, DefaultDevice = -5;

/// What libomp calls the host, too.
constexpr char HostUid[] = "HOST";

/// The properties of OpenMP, from -1 downwards.
constexpr const char *PropertyNames[] = {
    "fr_id",    "fr_name", "vendor",         "vendor_name", "device_num",
    "platform", "device",  "device_context", "targetsync"};

/// The return codes of OpenMP, from 0 (omp_irc_no_value is 1) downwards.
constexpr const char *CodeTexts[] = {"successful",
                                     "the interop object is omp_interop_none",
                                     "the property does not exist",
                                     "the property is an integer",
                                     "the property is a pointer",
                                     "the property is a string",
                                     "another error"};

bool isProperty(int Property) {
  constexpr int Count = sizeof(PropertyNames) / sizeof(*PropertyNames);
  return Property < 0 && Property >= -Count;
}

/// What a question for a property of omp_interop_none is answered.
int noValue(int Property, int *Code) {
  if (Code)
    *Code = isProperty(Property) ? -1 : -2; // omp_irc_empty, _out_of_range
  return 0;
}

void returnText(const char *Found, const char **Text, size_t *Length) {
  *Text = Found;
  *Length = Found ? strlen(Found) : 0;
}

} // namespace

extern "C" {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// -1 is omp_initial_device of OpenMP 5.2, as programs of gcc 13 pass it.
static bool isHost(int Device) {
  return Device == KMP_EXPAND_NAME(omp_get_initial_device)() || Device == -1;
}

GOMP_ONLY("OMP_4.5", void *, omp_target_alloc, (size_t Size, int Device)) {
  return isHost(Device) ? malloc(Size) : nullptr;
}

GOMP_ONLY("OMP_4.5", void, omp_target_free, (void *Memory, int Device)) {
  if (isHost(Device))
    free(Memory);
}

GOMP_ONLY("OMP_4.5", int, omp_target_is_present, (const void *, int Device)) {
  return isHost(Device);
}

GOMP_ONLY("OMP_4.5", int, omp_target_memcpy,
          (void *To, const void *From, size_t Length, size_t ToOffset,
           size_t FromOffset, int ToDevice, int FromDevice)) {
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

GOMP_ONLY("OMP_4.5", int, omp_target_memcpy_rect,
          (void *To, const void *From, size_t Element, int Dimensions,
           const size_t *Volume, const size_t *ToOffsets,
           const size_t *FromOffsets, const size_t *ToSizes,
           const size_t *FromSizes, int ToDevice, int FromDevice)) {
  if (!To && !From)
    return INT_MAX; // the question how many dimensions there may be
  if (!isHost(ToDevice) || !isHost(FromDevice) || Dimensions < 1)
    return EINVAL;
  copyPart(static_cast<char *>(To), static_cast<const char *>(From), Element,
           Dimensions, Volume, ToOffsets, FromOffsets, ToSizes, FromSizes);
  return 0;
}

// The copies are done when these return.

GOMP_ONLY("OMP_5.1.1", int, omp_target_memcpy_async,
          (void *To, const void *From, size_t Length, size_t ToOffset,
           size_t FromOffset, int ToDevice, int FromDevice, int Count,
           void *Depend)) {
  waitFor(Count, Depend);
  return gomp_omp_target_memcpy(To, From, Length, ToOffset, FromOffset,
                                ToDevice, FromDevice);
}

GOMP_ONLY("OMP_5.1.1", int, omp_target_memcpy_rect_async,
          (void *To, const void *From, size_t Element, int Dimensions,
           const size_t *Volume, const size_t *ToOffsets,
           const size_t *FromOffsets, const size_t *ToSizes,
           const size_t *FromSizes, int ToDevice, int FromDevice, int Count,
           void *Depend)) {
  waitFor(Count, Depend);
  return gomp_omp_target_memcpy_rect(To, From, Element, Dimensions, Volume,
                                     ToOffsets, FromOffsets, ToSizes, FromSizes,
                                     ToDevice, FromDevice);
}

GOMP_ONLY("GOMP_6.0.1", void *, omp_target_memset,
          (void *Memory, int Value, size_t Length, int Device)) {
  return isHost(Device) ? memset(Memory, Value, Length) : nullptr;
}

GOMP_ONLY("GOMP_6.0.1", void *, omp_target_memset_async,
          (void *Memory, int Value, size_t Length, int Device, int Count,
           void *Depend)) {
  waitFor(Count, Depend);
  return gomp_omp_target_memset(Memory, Value, Length, Device);
}

GOMP_ONLY("OMP_5.1.1", void *, omp_get_mapped_ptr,
          (const void *Memory, int Device)) {
  return isHost(Device) ? const_cast<void *>(Memory) : nullptr;
}

GOMP_ONLY("OMP_5.1.1", int, omp_target_is_accessible,
          (const void *, size_t, int Device)) {
  return isHost(Device);
}

// The host's own memory can't be associated with other memory of the host.
GOMP_ONLY("OMP_4.5", int, omp_target_associate_ptr,
          (const void *, const void *, size_t, size_t, int)) {
  return EINVAL;
}
GOMP_ONLY("OMP_4.5", int, omp_target_disassociate_ptr, (const void *, int)) {
  return EINVAL;
}

//===----------------------------------------------------------------------===//
// Which device
//===----------------------------------------------------------------------===//

GOMP_ONLY("GOMP_6.0", const char *, omp_get_uid_from_device, (int Device)) {
  return isHost(Device) || Device == DefaultDevice ? HostUid : nullptr;
}
GOMP_ONLY("GOMP_6.0", int, omp_get_device_from_uid, (const char *Uid)) {
  return Uid && strcmp(Uid, HostUid) == 0
             ? KMP_EXPAND_NAME(omp_get_initial_device)()
             : InvalidDevice;
}

// gfortran returns a string by address and length, and passes one without the
// zero behind it.
GOMP_ONLY("GOMP_6.0", void, omp_get_uid_from_device_,
          (const char **Text, size_t *Length, int Device)) {
  returnText(gomp_omp_get_uid_from_device(Device), Text, Length);
}
GOMP_ONLY("GOMP_6.0", void, omp_get_uid_from_device_8_,
          (const char **Text, size_t *Length, int64_t Device)) {
  const int Number = static_cast<int>(Device);
  returnText(Number == Device ? gomp_omp_get_uid_from_device(Number) : nullptr,
             Text, Length);
}
GOMP_ONLY("GOMP_6.0", int, omp_get_device_from_uid_,
          (const char *Uid, size_t Length)) {
  return Length == strlen(HostUid) && memcmp(Uid, HostUid, Length) == 0
             ? KMP_EXPAND_NAME(omp_get_initial_device)()
             : InvalidDevice;
}

//===----------------------------------------------------------------------===//
// Interop: there is no foreign runtime, so each object is omp_interop_none
//===----------------------------------------------------------------------===//

/// The interop construct, after the tasks in \p Depend. \p Init and \p Destroy
/// are the addresses of the program's objects.
GOMP_ONLY("GOMP_5.1.3", void, GOMP_interop,
          (int, int NumInit, void ***Init, const void *, const void *, int,
           void ***, int NumDestroy, void ***Destroy, unsigned,
           void **Depend)) {
  if (Depend)
    KMP_EXPAND_NAME(GOMP_taskwait_depend)(Depend);
  for (int I = 0; I < NumInit; ++I)
    *Init[I] = nullptr;
  for (int I = 0; I < NumDestroy; ++I)
    *Destroy[I] = nullptr;
}

GOMP_ONLY("GOMP_5.1.3", int, omp_get_num_interop_properties, (void *)) {
  return 0;
}

GOMP_ONLY("GOMP_5.1.3", intptr_t, omp_get_interop_int,
          (void *, int Property, int *Code)) {
  return noValue(Property, Code);
}
GOMP_ONLY("GOMP_5.1.3", void *, omp_get_interop_ptr,
          (void *, int Property, int *Code)) {
  noValue(Property, Code);
  return nullptr;
}
GOMP_ONLY("GOMP_5.1.3", const char *, omp_get_interop_str,
          (void *, int Property, int *Code)) {
  noValue(Property, Code);
  return nullptr;
}
GOMP_ONLY("GOMP_5.1.3", const char *, omp_get_interop_name,
          (void *, int Property)) {
  return isProperty(Property) ? PropertyNames[-1 - Property] : nullptr;
}
GOMP_ONLY("GOMP_5.1.3", const char *, omp_get_interop_type_desc,
          (void *, int)) {
  return nullptr;
}
GOMP_ONLY("GOMP_5.1.3", const char *, omp_get_interop_rc_desc,
          (void *, int Code)) {
  constexpr int Least = -int(sizeof(CodeTexts) / sizeof(*CodeTexts)) + 1;
  return Code <= 0 && Code >= Least ? CodeTexts[-Code] : nullptr;
}

GOMP_ONLY("GOMP_5.1.3", void, omp_get_interop_str_,
          (const char **Text, size_t *Length, void *Object, int Property,
           int *Code)) {
  returnText(gomp_omp_get_interop_str(Object, Property, Code), Text, Length);
}
GOMP_ONLY("GOMP_5.1.3", void, omp_get_interop_name_,
          (const char **Text, size_t *Length, void *Object, int Property)) {
  returnText(gomp_omp_get_interop_name(Object, Property), Text, Length);
}
GOMP_ONLY("GOMP_5.1.3", void, omp_get_interop_type_desc_,
          (const char **Text, size_t *Length, void *Object, int Property)) {
  returnText(gomp_omp_get_interop_type_desc(Object, Property), Text, Length);
}
GOMP_ONLY("GOMP_5.1.3", void, omp_get_interop_rc_desc_,
          (const char **Text, size_t *Length, void *Object, int Code)) {
  returnText(gomp_omp_get_interop_rc_desc(Object, Code), Text, Length);
}

} // extern "C"

#endif // KMP_USE_VERSION_SYMBOLS
