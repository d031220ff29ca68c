//===- replay/store.h - The recorded graphs of a process --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which graphs there are for which construct and graph id, and who has them. A
// graph is in the store while it is idle; a thread takes it for a run, or makes
// one, and gives it back. So no two threads run the same graph, and none waits
// for another one. One lock, taken twice for each run.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_REPLAY_STORE_H
#define LOCUS_REPLAY_STORE_H

#include "locus/support/lock.h"

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// What a graph is recorded for.
struct GraphKey {
  const void *Construct; ///< whatever stands for it
  uintptr_t Id;          ///< graph_id
};

/// A graph in the store; its owner derives from it.
struct StoredGraph {
  StoredGraph *Next = nullptr; ///< in lists of the store's
  /// How often the key had been reset when the graph was recorded.
  uint64_t Generation = 0;
};

class GraphStore {
public:
  GraphStore() = default;
  GraphStore(const GraphStore &) = delete;
  GraphStore &operator=(const GraphStore &) = delete;

  /// What take() has found.
  struct Found {
    StoredGraph *Graph;  ///< the caller's now; null: none fits
    uint64_t Generation; ///< for the one that the caller records instead
    bool IsRefused;      ///< it had better record none
  };

  /// Takes an idle graph of \p Key of which \p Fits(StoredGraph) says so.
  template <class Predicate> Found take(GraphKey Key, Predicate Fits) {
    LockGuard Guard(Lock);
    Entry *E = findOrAdd(Key);
    for (StoredGraph **At = &E->Idle; *At; At = &(*At)->Next)
      if (Fits(**At)) {
        StoredGraph *Taken = *At;
        *At = Taken->Next;
        --E->NumIdle;
        return {Taken, E->Generation, false};
      }
    return {nullptr, E->Generation, E->IsRefused};
  }

  /// \p G, which the caller has taken or recorded, is idle now. Of the idle
  /// ones of \p Key the \p MostKept stay that were given last: each thread that
  /// runs the region at the same time as others has one, and each argument that
  /// it is run with. Returns a list of those that the caller frees; \p G, if
  /// the key has been reset since.
  StoredGraph *give(GraphKey Key, StoredGraph *G, uint32_t MostKept);

  /// Graphs of \p Key cannot be recorded: take() says so until it is reset.
  void refuse(GraphKey Key);

  /// Forgets what there is for \p Key: returns a list of those that are idle,
  /// for the caller to free. Others come back to give().
  StoredGraph *reset(GraphKey Key);

  /// The same for all keys, which are forgotten. The store has no memory then.
  StoredGraph *resetAll();

  /// In a child of fork(), whose only thread calls this: whoever held the lock
  /// or ran a graph is not there. Nothing is known then; the memory is lost.
  void recoverFromFork();

private:
  struct Entry {
    GraphKey Key;
    Entry *Next; ///< in its bucket
    StoredGraph *Idle;
    uint64_t Generation;
    uint32_t NumIdle;
    bool IsRefused;
  };

  Entry *&bucketOf(GraphKey Key);
  Entry *find(GraphKey Key);
  Entry *findOrAdd(GraphKey Key);

  SpinLock Lock; ///< protects all of it
  Entry *Buckets[256] = {};
  uint64_t Resets = 0; ///< of all keys; what a new entry's Generation is
};

} // namespace locus

#endif // LOCUS_REPLAY_STORE_H
