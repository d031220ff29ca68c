//===- engine/instrument.cpp - What the scheduler's code does -------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core is compiled as for ThreadSanitizer (-fsanitize=thread), which calls
// a function for each access to memory and for each atomic operation. Linked
// are these functions instead of the sanitizer's: an access costs what the
// simulated machine takes for it. So the core's sources are the product's own,
// to the last character.
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"

#include <string.h>

using locus::lab::Engine;

static inline void read(const void *Address) {
  if (Engine *E = Engine::running())
    E->load(uint64_t(Address), /*IsAtomic=*/false);
}
static inline void write(const void *Address) {
  if (Engine *E = Engine::running())
    E->store(uint64_t(Address), /*IsAtomic=*/false);
}
/// Each line of a block.
template <class Each>
static inline void block(const void *Address, size_t Bytes, Each Do) {
  const char *At = static_cast<const char *>(Address);
  for (size_t I = 0; I < Bytes; I += locus::lab::LineBytes)
    Do(At + I);
}

extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
void __tsan_vptr_update(void **Pointer, void *) { write(Pointer); }
void __tsan_vptr_read(void **Pointer) { read(Pointer); }
void __tsan_read_range(void *Address, size_t Bytes) {
  block(Address, Bytes, [](const void *At) { read(At); });
}
void __tsan_write_range(void *Address, size_t Bytes) {
  block(Address, Bytes, [](const void *At) { write(At); });
}
void *__tsan_memset(void *To, int Value, size_t Bytes) {
  block(To, Bytes, [](const void *At) { write(At); });
  return memset(To, Value, Bytes);
}
void *__tsan_memcpy(void *To, const void *From, size_t Bytes) {
  block(From, Bytes, [](const void *At) { read(At); });
  block(To, Bytes, [](const void *At) { write(At); });
  return memcpy(To, From, Bytes);
}
void *__tsan_memmove(void *To, const void *From, size_t Bytes) {
  block(From, Bytes, [](const void *At) { read(At); });
  block(To, Bytes, [](const void *At) { write(At); });
  return memmove(To, From, Bytes);
}

#define PLAIN(Bytes)                                                           \
  void __tsan_read##Bytes(void *Address) { read(Address); }                    \
  void __tsan_write##Bytes(void *Address) { write(Address); }                  \
  void __tsan_unaligned_read##Bytes(void *Address) { read(Address); }          \
  void __tsan_unaligned_write##Bytes(void *Address) { write(Address); }        \
  void __tsan_volatile_read##Bytes(void *Address) { read(Address); }           \
  void __tsan_volatile_write##Bytes(void *Address) { write(Address); }         \
  void __tsan_read_write##Bytes(void *Address) {                               \
    read(Address);                                                             \
    write(Address);                                                            \
  }                                                                            \
  void __tsan_unaligned_read_write##Bytes(void *Address) {                     \
    read(Address);                                                             \
    write(Address);                                                            \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
#undef PLAIN

// One thread of the system runs all: the order is that of the simulation.
#define CHANGE(Bits, Type, Name, Expression)                                   \
  Type __tsan_atomic##Bits##_##Name(volatile Type *Address, Type Value, int) { \
    if (Engine *E = Engine::running())                                         \
      E->readModifyWrite(uint64_t(Address));                                   \
    const Type Before = *Address;                                              \
    *Address = Type(Expression);                                               \
    return Before;                                                             \
  }
#define ATOMIC(Bits, Type)                                                     \
  Type __tsan_atomic##Bits##_load(const volatile Type *Address, int) {         \
    if (Engine *E = Engine::running())                                         \
      E->load(uint64_t(Address), /*IsAtomic=*/true);                           \
    return *Address;                                                           \
  }                                                                            \
  void __tsan_atomic##Bits##_store(volatile Type *Address, Type Value,         \
                                   int Order) {                                \
    if (Engine *E = Engine::running()) {                                       \
      if (Order == __ATOMIC_SEQ_CST)                                           \
        E->readModifyWrite(uint64_t(Address));                                 \
      else                                                                     \
        E->store(uint64_t(Address), /*IsAtomic=*/true);                        \
    }                                                                          \
    *Address = Value;                                                          \
  }                                                                            \
  CHANGE(Bits, Type, exchange, Value)                                          \
  CHANGE(Bits, Type, fetch_add, Before + Value)                                \
  CHANGE(Bits, Type, fetch_sub, Before - Value)                                \
  CHANGE(Bits, Type, fetch_and, Before &Value)                                 \
  CHANGE(Bits, Type, fetch_or, Before | Value)                                 \
  CHANGE(Bits, Type, fetch_xor, Before ^ Value)                                \
  Type __tsan_atomic##Bits##_compare_exchange_val(                             \
      volatile Type *Address, Type Expected, Type Value, int, int) {           \
    if (Engine *E = Engine::running())                                         \
      E->readModifyWrite(uint64_t(Address));                                   \
    const Type Before = *Address;                                              \
    if (Before == Expected)                                                    \
      *Address = Value;                                                        \
    return Before;                                                             \
  }                                                                            \
  int __tsan_atomic##Bits##_compare_exchange_strong(                           \
      volatile Type *Address, Type *Expected, Type Value, int First,           \
      int Second) {                                                            \
    const Type Wanted = *Expected;                                             \
    *Expected = __tsan_atomic##Bits##_compare_exchange_val(                    \
        Address, Wanted, Value, First, Second);                                \
    return *Expected == Wanted;                                                \
  }                                                                            \
  int __tsan_atomic##Bits##_compare_exchange_weak(volatile Type *Address,      \
                                                  Type *Expected, Type Value,  \
                                                  int First, int Second) {     \
    return __tsan_atomic##Bits##_compare_exchange_strong(                      \
        Address, Expected, Value, First, Second);                              \
  }
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)
#undef ATOMIC
#undef CHANGE

void __tsan_atomic_thread_fence(int Order) {
  // On x86 the others are no instructions.
  if (Order == __ATOMIC_SEQ_CST)
    if (Engine *E = Engine::running())
      E->fence();
}
void __tsan_atomic_signal_fence(int) {}
}
