//===- trace/recorder.cpp - A record of what tasks did --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/trace/recorder.h"
#include "locus/support/array.h"
#include "locus/support/host.h"
#include "locus/support/lock.h"
#include "locus/trace/file.h"

#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>

namespace locus {

/// Records in the buffer of a thread. With the header they are 64 KB, which one
/// write takes in 30 to 50 us: 20 ns a record.
static constexpr uint32_t TraceBufferRecords = 2047;
/// Different names of tasks and variables, 8 bytes each in every process. A
/// guess. A power of two.
static constexpr uint32_t TraceNames = 1 << 14;
/// Numbers that a thread draws at once for its tasks: one locked instruction in
/// so many tasks, and of 2^32 numbers few are lost.
static constexpr uint32_t TraceNumbers = 1024;

/// What a thread has recorded and not written yet. Freed when the thread ends.
struct alignas(CacheLine) TraceBuffer {
  /// Holds the memory of a chunk: only the owner writes records.
  ChunkHeader Header;
  TraceRecord Records[TraceBufferRecords];

  /// Records that are complete. Written by the owner.
  std::atomic<uint32_t> Used{0};
  /// Held to write the chunk to the file, and by whoever ends the trace.
  SpinLock Writing;
  bool Closed = false; ///< the trace has ended; under Writing
  // Of the owner.
  uint32_t NextNumber = 0, EndOfNumbers = 0;
  uint64_t FlushTime = 0;    ///< ns that the last write took, not yet recorded
  uint64_t NextQuestion = 0; ///< when mayAsk() says yes again
  uint32_t Questions = 0;
  bool Searches = false;
  TraceBuffer *Next = nullptr;
};
static_assert(offsetof(TraceBuffer, Records) == sizeof(ChunkHeader),
              "one write has both");

std::atomic<bool> Trace::Enabled{false};
static char Pattern[MaxPattern];
static TraceFile File;
static SpinLock Listing; ///< for the list of buffers
static TraceBuffer *All = nullptr;
static bool Over = false; ///< the trace has ended; under Listing
static __thread __attribute__((tls_model("initial-exec"))) TraceBuffer *Mine =
    nullptr;
static std::atomic<uint32_t> NextWriter{1};
static pthread_key_t EndOfThread;
static std::atomic<bool> HasKey{false}; ///< EndOfThread is one
/// A forked child has no file yet. Its parent's number, or 0.
static std::atomic<uint32_t> ForkedFrom{0};
static SpinLock Opening;

//===----------------------------------------------------------------------===//
// Names: a table of addresses that only grows, without a lock
//===----------------------------------------------------------------------===//

static std::atomic<const char *> NameTable[TraceNames];

uint32_t Trace::nameOf(const char *Text) {
  if (!Text)
    return 0;
  static_assert(TraceNames == 1 << (64 - 50), "the best bits of the product");
  const uint32_t Hash =
      uint32_t((reinterpret_cast<uintptr_t>(Text) * 0x9e3779b97f4a7c15) >> 50);
  for (uint32_t Step = 0; Step < TraceNames; ++Step) {
    const uint32_t Slot = (Hash + Step) % TraceNames;
    const char *There = NameTable[Slot].load(std::memory_order_relaxed);
    if (!There && NameTable[Slot].compare_exchange_strong(
                      There, Text, std::memory_order_relaxed)) {
      writeText(ChunkKind::Name, Slot + 1, Text, strlen(Text));
      return Slot + 1;
    }
    if (There == Text)
      return Slot + 1;
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

void Trace::stop() { Enabled.store(false, std::memory_order_relaxed); }

/// Opens the file of a forked child, the first time that it has anything to
/// write.
static bool openOfChild() {
  if (__builtin_expect(!ForkedFrom.load(std::memory_order_acquire), 1))
    return true;
  LockGuard Guard(Opening);
  const uint32_t Parent = ForkedFrom.load(std::memory_order_relaxed);
  if (Parent && !File.open(Pattern, Parent))
    return false;
  ForkedFrom.store(0, std::memory_order_release);
  return true;
}

void Trace::writeText(ChunkKind Kind, uint32_t Number, const char *Text,
                      size_t Bytes) {
  const size_t NumberBytes = Kind == ChunkKind::Name ? sizeof(Number) : 0;
  const size_t Room = (NumberBytes + Bytes + 7) & ~size_t(7);
  char *Chunk = makeArray<char>(sizeof(ChunkHeader) + Room);
  if (!Chunk)
    return;
  ChunkHeader Header;
  Header.Kind = Kind;
  Header.Bytes = uint32_t(NumberBytes + Bytes);
  memcpy(Chunk, &Header, sizeof(Header));
  memcpy(Chunk + sizeof(Header), &Number, NumberBytes);
  memcpy(Chunk + sizeof(Header) + NumberBytes, Text, Bytes);
  if (!openOfChild() || !File.append(Chunk, sizeof(Header) + Room))
    stop();
  free(Chunk);
}

/// Writes what \p B holds. Under its lock. False if that failed.
static bool writeBuffer(TraceBuffer &B) {
  // Acquire: pairs with the release in record().
  const uint32_t Used = B.Used.load(std::memory_order_acquire);
  if (Used == 0 || B.Closed)
    return true;
  B.Header.Bytes = uint32_t(Used * sizeof(TraceRecord));
  if (!openOfChild() ||
      !File.append(&B.Header, sizeof(ChunkHeader) + B.Header.Bytes))
    return false;
  ++B.Header.Sequence;
  return true;
}

/// The owner of \p B makes room in it.
static bool flush(TraceBuffer &B) {
  const uint64_t Before = nanoseconds();
  LockGuard Guard(B.Writing);
  const bool Written = writeBuffer(B);
  B.Used.store(0, std::memory_order_relaxed);
  B.FlushTime = nanoseconds() - Before;
  return Written && !B.Closed;
}

//===----------------------------------------------------------------------===//
// Buffers of threads
//===----------------------------------------------------------------------===//

/// A thread ends, or the library.
static void releaseBuffer(void *Old) {
  TraceBuffer *B = static_cast<TraceBuffer *>(Old);
  Mine = nullptr;
  flush(*B);
  {
    LockGuard Guard(Listing);
    TraceBuffer **At = &All;
    while (*At != B)
      At = &(*At)->Next;
    *At = B->Next;
  }
  free(B);
}

/// A buffer for the calling thread, as its own. Null if there is no memory.
static TraceBuffer *adoptBuffer() {
  TraceBuffer *B = makeArray<TraceBuffer>(1);
  if (!B)
    return nullptr;
  B->Header.Writer = NextWriter.fetch_add(1, std::memory_order_relaxed);
  B->Header.OsThread = uint32_t(syscall(SYS_gettid));
  {
    LockGuard Guard(Listing);
    B->Closed = Over;
    B->Next = All;
    All = B;
  }
  if (HasKey.load(std::memory_order_acquire))
    pthread_setspecific(EndOfThread, B);
  return Mine = B;
}

void Trace::record(Event Kind, uint32_t Task, uint8_t Flags, uint16_t Thread,
                   uint64_t Data, uint32_t A, uint32_t B) {
  TraceBuffer *Own = Mine;
  if (__builtin_expect(!Own && !(Own = adoptBuffer()), 0)) {
    stop();
    warn("KMP_TASK_TRACE: the trace ends here, as there is no memory.");
    return;
  }
  uint32_t Used = Own->Used.load(std::memory_order_relaxed);
  if (__builtin_expect(Used == TraceBufferRecords, 0)) {
    if (!flush(*Own))
      return stop();
    Used = 0;
    if (Kind != Event::Flush)
      record(Event::Flush, 0, 0, NoThread, Own->FlushTime), Used = 1;
  }
  Own->Records[Used] = {nanoseconds(), Kind, Flags, Thread, Task, Data, A, B};
  // Release: the thread that ends the trace sees the record complete.
  Own->Used.store(Used + 1, std::memory_order_release);
}

void Trace::takeBack() {
  if (!Mine)
    return;
  // The thread that ends the trace may be writing the record, whose place the
  // next one takes.
  LockGuard Guard(Mine->Writing);
  // A full buffer is written before the next record, never behind the last.
  if (const uint32_t Used = Mine->Used.load(std::memory_order_relaxed))
    Mine->Used.store(Used - 1, std::memory_order_relaxed);
}

uint32_t Trace::newNumber() {
  static std::atomic<uint32_t> NextBlock{1};
  if (!Mine && !adoptBuffer())
    return 0;
  if (Mine->NextNumber == Mine->EndOfNumbers) {
    Mine->NextNumber =
        NextBlock.fetch_add(TraceNumbers, std::memory_order_relaxed);
    Mine->EndOfNumbers = Mine->NextNumber + TraceNumbers;
  }
  return Mine->NextNumber++;
}

void Trace::noteSearch(bool Searches) {
  if (!Mine ? !Searches : Mine->Searches == Searches)
    return;
  record(Searches ? Event::Search : Event::SearchEnd, 0);
  if (Mine)
    Mine->Searches = Searches;
}

bool Trace::mayAsk() {
  return Mine && (Mine->Questions < TraceFreeQuestions ||
                  nanoseconds() >= Mine->NextQuestion);
}

void Trace::hasAsked(uint64_t Began) {
  if (!Mine)
    return;
  const uint64_t Now = nanoseconds();
  uint64_t Took = Now - Began;
  if (Took > TraceQuestionMost)
    Took = TraceQuestionMost;
  ++Mine->Questions;
  Mine->NextQuestion = Now + Took * TraceQuestionShare;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

static uint32_t Forking;
static void beforeFork() { Forking = uint32_t(getpid()); }

/// In a forked child, where the calling thread is the only one: what the
/// parent's threads have recorded is theirs, and so is the file. Their buffers
/// are freed.
static void forgetParent() {
  File.close();
  while (TraceBuffer *B = All) {
    All = B->Next;
    if (B != Mine)
      free(B);
  }
  if (Mine) {
    Mine->Used.store(0, std::memory_order_relaxed);
    new (&Mine->Writing) SpinLock(); // its holder is not here
    Mine->Header.Sequence = 0;
    Mine->Header.OsThread = uint32_t(syscall(SYS_gettid));
    Mine->Next = nullptr;
  }
  All = Mine;
  new (&Opening) SpinLock();
  new (&Listing) SpinLock();
  for (std::atomic<const char *> &Name : NameTable)
    Name.store(nullptr, std::memory_order_relaxed);
  ForkedFrom.store(Forking, std::memory_order_relaxed);
}

bool Trace::enable(const char *Name) {
  static bool IsReady = false;
  // libomp in a forked child reads its settings anew.
  if (IsReady && enabled() && strcmp(Name, Pattern) == 0)
    return true;
  if (IsReady) {
    warn("KMP_TASK_TRACE: there is or was a trace; it cannot be set again.");
    return enabled();
  }
  if (hasOthersRights()) {
    warn("KMP_TASK_TRACE: no file is written for a program that runs with "
         "other rights than its user's; there is no trace.");
    return false;
  }
  if (strlen(Name) >= sizeof(Pattern)) {
    warn("KMP_TASK_TRACE: the file name is too long; there is no trace.");
    return false;
  }
  strcpy(Pattern, Name);
  if (!File.open(Pattern, 0))
    return false;
  if (!HasKey.load(std::memory_order_relaxed))
    HasKey.store(pthread_key_create(&EndOfThread, releaseBuffer) == 0,
                 std::memory_order_release);
  if (!HasKey.load(std::memory_order_relaxed) ||
      pthread_atfork(beforeFork, nullptr, forgetParent) != 0) {
    warn("KMP_TASK_TRACE: the system has no room for it; there is no trace.");
    return false;
  }
  IsReady = true;
  Enabled.store(true, std::memory_order_relaxed);
  return true;
}

void Trace::finish() {
  if (!enabled())
    return;
  stop();
  bool Complete = true;
  {
    LockGuard Guard(Listing);
    Over = true; // for whoever has seen that there is a trace, and begins now
    for (TraceBuffer *B = All; B; B = B->Next) {
      // Its owner may still run, and record; it finds the buffer closed.
      LockGuard Held(B->Writing);
      Complete = writeBuffer(*B) && Complete;
      B->Closed = true;
    }
  }
  // (A forked child that has recorded nothing has no file.)
  if (Complete && !ForkedFrom.load(std::memory_order_relaxed))
    writeText(ChunkKind::End, 0, "", 0);
}

/// The end of the program, or of the library: then a thread that ends later
/// must not call releaseBuffer(), whose code may be gone. Behind libomp's end,
/// which ends its threads: 101 is the last priority. Threads of the program may
/// still record, in buffers that they own.
__attribute__((destructor(101))) static void finishAtExit() {
  Trace::finish();
  if (HasKey.exchange(false, std::memory_order_acq_rel))
    pthread_key_delete(EndOfThread);
  if (Mine)
    releaseBuffer(Mine);
  File.end();
}

} // namespace locus
