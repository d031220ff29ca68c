//===- model_memory.h - Plain memory that the model sees --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Relacy sees atomics and its own variables. The blocks of depend/ consist of
// plain fields mostly, and come and go: `mutate` makes them Plain<> in the copy
// that the model runs, and tells of each block that is taken or given back.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_MODEL_MEMORY_H
#define LOCUS_TEST_MODEL_MEMORY_H

namespace simulated {

/// Finds accesses to watched memory that are not ordered, and uses of a block
/// that nobody has taken. Memory that is not watched may do what it likes.
class Memory {
public:
  /// Forgets all that it watches.
  void reset() {
    NumRanges = 0;
    ++Round;
    NumUsed = NumKept = 0;
    SeesRings = false;
  }
  /// Whether the slots of rings are watched, too.
  bool SeesRings = false;
  /// As reset(), at the end of a test that went well.
  void end() {
    while (NumUsed)
      rl::ctx().var_dtor(Used[--NumUsed]->Data);
    while (NumKept)
      ::free(Kept[--NumKept]);
    reset();
  }

  /// \p Bytes bytes, in which there is a block each \p BlockBytes; 0 = none.
  void watch(void *Begin, size_t Bytes, size_t BlockBytes) {
    RL_VERIFY(NumRanges < MaxRanges);
    Ranges[NumRanges++] = {static_cast<char *>(Begin), Bytes, BlockBytes};
  }
  bool watches(const void *At) const { return rangeOf(At) != nullptr; }
  /// What nobody may use any more, but has its place until the end.
  void keep(void *Memory) {
    RL_VERIFY(NumKept < MaxRanges);
    Kept[NumKept++] = Memory;
  }

  void read(const void *At) { access(At, /*Writes=*/false); }
  void write(const void *At) { access(At, /*Writes=*/true); }

  void take(const void *Block) {
    Place &P = placeOf(Block, LifeOfBlock);
    check(!P.IsTaken, "a block is taken twice");
    check(P.Data->store(thread()), "a block is taken, unordered with a use");
    P.IsTaken = true;
  }
  void give(const void *Block) {
    Place &P = placeOf(Block, LifeOfBlock);
    check(P.IsTaken, "a block is given back twice");
    check(P.Data->store(thread()),
          "a block is given back, unordered with a use");
    P.IsTaken = false;
  }

private:
  /// What is known of an address, or of the block that begins there.
  struct Place {
    const void *At;
    bool IsTaken;
    unsigned Round, Kind;
    rl::var_data *Data;
  };
  struct Range {
    char *Begin;
    size_t Bytes, BlockBytes;
  };
  static constexpr unsigned Field = 0, LifeOfBlock = 1;
  static constexpr size_t NumPlaces = 1 << 12, BytesOfHeader = 16;
  static constexpr int MaxRanges = 16;

  static rl::thread_info_base &thread() { return *rl::ctx().threadx_; }
  static void check(bool Condition, const char *Text) {
    if (!Condition)
      rl::ctx().fail_test(Text, rl::test_result_data_race, $);
  }

  Place &placeOf(const void *At, unsigned Kind) {
    size_t I = (reinterpret_cast<uintptr_t>(At) + Kind) * 0x9e3779b97f4a7c15u >>
               (64 - 12);
    for (;; I = (I + 1) % NumPlaces) {
      Place &P = Places[I];
      if (P.Round != Round) {
        P = {At, false, Round, Kind, rl::ctx().var_ctor()};
        RL_VERIFY(NumUsed < NumPlaces / 2);
        Used[NumUsed++] = &P;
        return P;
      }
      if (P.At == At && P.Kind == Kind)
        return P;
    }
  }

  const Range *rangeOf(const void *At) const {
    const char *Byte = static_cast<const char *>(At);
    for (const Range *R = Ranges; R != Ranges + NumRanges; ++R)
      if (Byte >= R->Begin && Byte < R->Begin + R->Bytes)
        return R;
    return nullptr;
  }

  void access(const void *At, bool Writes) {
    const char *Byte = static_cast<const char *>(At);
    const Range *R = rangeOf(At);
    if (!R)
      return;
    Place &P = placeOf(At, Field);
    check(Writes ? P.Data->store(thread()) : P.Data->load(thread()),
          Writes ? "a plain write races" : "a plain read races");
    if (!R->BlockBytes)
      return;
    const size_t InBlock = size_t(Byte - R->Begin) % R->BlockBytes;
    if (InBlock < BytesOfHeader)
      return; // which lists of free blocks use
    Place &Life = placeOf(Byte - InBlock, LifeOfBlock);
    check(Life.IsTaken, "a block is used that nobody has taken");
    check(Life.Data->load(thread()),
          "a block is used, unordered with its life");
  }

  unsigned Round = 1;
  int NumRanges = 0;
  Range Ranges[MaxRanges] = {};
  Place Places[NumPlaces] = {};
  size_t NumUsed = 0;
  Place *Used[NumPlaces / 2];
  int NumKept = 0;
  void *Kept[MaxRanges];
};
inline Memory Watched;

/// A field of a plain type.
template <class T> class Plain {
public:
  Plain() = default;
  Plain(T From) : Value(From) { Watched.write(this); }
  Plain(const Plain &From) : Plain(T(From)) {}
  Plain &operator=(const Plain &From) { return *this = T(From); }
  Plain &operator=(T From) {
    Watched.write(this);
    Value = From;
    return *this;
  }
  operator T() const {
    Watched.read(this);
    return Value;
  }
  T operator->() const { return *this; }
  T operator++() { return *this = T(*this) + 1; }
  T operator--() { return *this = T(*this) - 1; }
  T operator++(int) { return ++*this - 1; }

private:
  T Value;
};

} // namespace simulated

#endif // LOCUS_TEST_MODEL_MEMORY_H
