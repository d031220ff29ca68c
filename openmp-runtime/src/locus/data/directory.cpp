//===- data/directory.cpp - Where our allocators put memory ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/data/directory.h"

#include <new>
#include <pthread.h>
#include <stdlib.h>

namespace locus {

/// A reader tries so often while others write, then it asks the kernel, for 0.6
/// us, or waits: writers come with each allocation, and are soon gone.
static constexpr int Tries = 4;
static Directory OfProcess;

Directory &Directory::get() { return OfProcess; }

/// A child of fork() has one thread: nobody would ever finish what another
/// thread has begun to write. Registered when the library is loaded, so before
/// there is a writer, and once.
void Directory::watchForks() {
  pthread_atfork([] { OfProcess.Writers.lock(); },
                 [] { OfProcess.Writers.unlock(); },
                 [] { OfProcess.Writers.unlock(); });
}

inline Directory::Found Directory::read(const Block &From,
                                        std::memory_order Order) {
  return {From.Base.load(Order), From.Pages.load(Order),
          From.PartPages.load(Order), From.Nodes.load(Order)};
}

void Directory::write(Block &To, const Found &From) {
  To.Base.store(From.Base, std::memory_order_release);
  To.Pages.store(From.Pages, std::memory_order_release);
  To.PartPages.store(From.PartPages, std::memory_order_release);
  To.Nodes.store(From.Nodes, std::memory_order_release);
}

/// For writers.
void Directory::copy(Block &To, const Block &From) {
  write(To, read(From, std::memory_order_relaxed));
}

// Relaxed will do: the stores that follow are releases, and a reader of one of
// them sees this one.
void Directory::beginWrite() {
  Sequence.store(Sequence.load(std::memory_order_relaxed) + 1,
                 std::memory_order_relaxed);
}

// Release: a reader of this one sees the table as it is now.
void Directory::endWrite() {
  Sequence.store(Sequence.load(std::memory_order_relaxed) + 1,
                 std::memory_order_release);
}

/// The list that is equal to \p Nodes and stays for ever; null if there is no
/// memory. There are as many as different teams have allocated.
const NodeList *Directory::intern(const NodeList &Nodes) {
  for (KnownList *L = Lists; L; L = L->Next)
    if (L->List == Nodes)
      return &L->List;
  KnownList *Made = static_cast<KnownList *>(malloc(sizeof(KnownList)));
  if (!Made)
    return nullptr;
  *Made = {Lists, Nodes};
  Lists = Made;
  return &Made->List;
}

/// Room for one more block.
bool Directory::makeRoom() {
  Table *Old = Current.load(std::memory_order_relaxed);
  const size_t Used = NumBlocks.load(std::memory_order_relaxed);
  if (Old && Used < Old->Room)
    return true;
  const size_t Room = Old ? 2 * Old->Room : 64;
  Table *New =
      static_cast<Table *>(malloc(sizeof(Table) + (Room - 1) * sizeof(Block)));
  if (!New)
    return false;
  New->Older = Old;
  New->Room = Room;
  for (size_t I = 0; I < Room; ++I) {
    new (&New->Blocks[I]) Block();
    if (I < Used)
      copy(New->Blocks[I], Old->Blocks[I]);
  }
  // Not a change: the new table says what the old one does. Release: a reader
  // that finds it finds its blocks.
  Current.store(New, std::memory_order_release);
  return true;
}

/// The place of the first block that begins at \p Address or below it. For
/// writers.
size_t Directory::firstUpTo(uintptr_t Address) const {
  const Table *T = Current.load(std::memory_order_relaxed);
  size_t Low = 0, High = NumBlocks.load(std::memory_order_relaxed);
  while (Low < High) {
    const size_t Middle = Low + (High - Low) / 2;
    if (T->Blocks[Middle].Base.load(std::memory_order_relaxed) > Address)
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

/// Takes out the blocks that share a byte with \p First .. \p Last.
void Directory::removeOverlaps(uintptr_t First, uintptr_t Last) {
  const size_t Used = NumBlocks.load(std::memory_order_relaxed);
  const size_t From = firstUpTo(Last);
  Table *T = Current.load(std::memory_order_relaxed);
  auto LastOf = [](const Block &B) {
    return B.Base.load(std::memory_order_relaxed) +
           (B.Pages.load(std::memory_order_relaxed) * pageSize() - 1);
  };
  size_t To = From;
  while (To < Used && LastOf(T->Blocks[To]) >= First)
    ++To;
  if (From == To)
    return;
  beginWrite();
  for (size_t I = To; I < Used; ++I)
    copy(T->Blocks[From + (I - To)], T->Blocks[I]);
  NumBlocks.store(Used - (To - From), std::memory_order_release);
  endWrite();
}

/// Where it belongs: the table is sorted, the highest address first. The kernel
/// maps downwards, so most blocks come to the end, and none has to move.
void Directory::add(uintptr_t Base, const Partition &Parts,
                    const NodeList *Nodes) {
  Table *T = Current.load(std::memory_order_relaxed);
  const size_t Used = NumBlocks.load(std::memory_order_relaxed);
  const size_t Hole = firstUpTo(Base);
  LOCUS_CHECK(Used < T->Room);
  beginWrite();
  for (size_t I = Used; I > Hole; --I)
    copy(T->Blocks[I], T->Blocks[I - 1]);
  write(T->Blocks[Hole], {Base, Parts.numPages(), Parts.partPages(), Nodes});
  NumBlocks.store(Used + 1, std::memory_order_release);
  endWrite();
}

bool Directory::insert(uintptr_t Base, const Partition &Parts) {
  const size_t Length = Parts.numPages() * pageSize();
  LOCUS_CHECK(Base % pageSize() == 0 && Length > 0);
  LockGuard Guard(Writers);
  const NodeList *Nodes = intern(Parts.nodes());
  if (!Nodes || !makeRoom())
    return false;
  removeOverlaps(Base, Base + (Length - 1));
  add(Base, Parts, Nodes);
  return true;
}

void Directory::forget(const MemoryRange &Range) {
  // The caller's own blocks count: the load is not older than their insert().
  if (NumBlocks.load(std::memory_order_relaxed) == 0)
    return;
  const uintptr_t More = Range.Length ? Range.Length - 1 : 0;
  const uintptr_t Last =
      Range.Base + More < Range.Base ? UINTPTR_MAX : Range.Base + More;
  LockGuard Guard(Writers);
  removeOverlaps(Range.Base, Last);
}

/// The block that \p Address is in; false if there is none. If a writer is at
/// work, both may be wrong.
bool Directory::search(uintptr_t Address, Found &Result) const {
  // All loads are acquires: PROOF.md says why.
  const Table *T = Current.load(std::memory_order_acquire);
  if (!T)
    return false;
  size_t Count = NumBlocks.load(std::memory_order_acquire);
  Count = Count < T->Room ? Count : T->Room; // it may be a newer table's
  if (Count == 0)
    return false;
  // The first block that begins at the address or below it, or the last one.
  // Without branches, which nobody could predict.
  const Block *At = T->Blocks;
  while (Count > 1) {
    const size_t Half = Count / 2;
    const uintptr_t Middle = At[Half - 1].Base.load(std::memory_order_acquire);
    At = Middle > Address ? At + Half : At;
    Count -= Half;
  }
  Result = read(*At, std::memory_order_acquire);
  return Address >= Result.Base &&
         Address - Result.Base < Result.Pages * pageSize();
}

/// The block that \p Address is in. False if there is none, or, unless
/// \p MayWait, if writers were in the way.
bool Directory::find(uintptr_t Address, bool MayWait, Found &Result) const {
  for (int Try = 0; Try < Tries; ++Try) {
    const uint64_t Before = Sequence.load(std::memory_order_acquire);
    if (Before % 2 != 0)
      continue;
    const bool IsThere = search(Address, Result);
    if (Sequence.load(std::memory_order_relaxed) == Before)
      return IsThere;
  }
  if (!MayWait)
    return false;
  LockGuard Guard(Writers);
  return search(Address, Result);
}

int Directory::nodeOf(const MemoryRange *Ranges, int Count,
                      bool MayWait) const {
  LOCUS_CHECK(Count > 0 && Count <= MaxPagesAsked);
  if (NumBlocks.load(std::memory_order_relaxed) == 0)
    return UnknownNode; // a program that has none pays one load
  int Nodes[MaxPagesAsked];
  double Bytes[MaxPagesAsked];
  for (int R = 0; R < Count; ++R) {
    const size_t Length = Ranges[R].Length ? Ranges[R].Length : 1;
    Found In;
    if (!find(Ranges[R].Base, MayWait, In))
      return UnknownNode;
    const size_t Begin = Ranges[R].Base - In.Base;
    if (Length > In.Pages * pageSize() - Begin)
      return UnknownNode;
    Nodes[R] = Partition(*In.Nodes, In.Pages, In.PartPages)
                   .nodeOfMost(Begin, Begin + Length, pageSize());
    Bytes[R] = double(Length);
  }
  return nodeOfMost(Nodes, Bytes, Count);
}

} // namespace locus
