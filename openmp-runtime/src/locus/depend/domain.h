//===- depend/domain.h - Which task uses which address ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dependences between the children of one task: for each address, who has
// used it last, and how. Only the task itself adds children, or tasks in turn
// (turn.h), so one thread at a time uses this, and nothing here is atomic.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_DOMAIN_H
#define LOCUS_DEPEND_DOMAIN_H

#include "locus/depend/node.h"

#include <stddef.h>
#include <stdint.h>

namespace locus {

/// How a task uses an address: OpenMP's dependence types. Tasks of one of the
/// types In, Mutex and Set that follow each other on an address form a group,
/// within which there is no order. Out stands for inout as well.
enum class Access : uint8_t { None, In, Out, Mutex, Set };

/// One item of a depend clause.
struct Dependence {
  uintptr_t Address;
  Access How; ///< not None
};

class Turn;

class Domain : private Block {
public:
  /// An empty one. Ends the program if there is no memory.
  static Domain *create(NodePool &Mine);
  /// Forgets all tasks, and frees the memory.
  static void destroy(NodePool &Mine, Domain *D);
  /// Forgets all tasks. What they wait for stays.
  void clear(NodePool &Mine);

  /// The task of \p N is the next that uses an address like this. The same
  /// address may come more than once: if not in the same way, it is Out.
  /// \p Context is for OnEdge.
  void add(NodePool &Mine, Node &N, Dependence D, void *Context);
  /// The task of \p N uses all memory: it comes after all others, and all that
  /// come later come after it.
  void addAll(NodePool &Mine, Node &N, void *Context);

  /// \p N waits for those that a task with this dependence would wait for. It
  /// is not added.
  void await(NodePool &Mine, Node &N, Dependence D, void *Context);
  /// The same for all tasks.
  void awaitAll(NodePool &Mine, Node &N, void *Context);

  /// Whether a task with this dependence would have nothing to wait for. Never
  /// for Mutex, which takes a node to hold.
  bool isReady(Dependence D) const;

  /// Whether a task that has not ended is behind an event (Node::noteEvent).
  bool mayWaitForEvent() const;

  /// If transparent tasks add to the table, too, the turn of the task whose
  /// Domain this is; else null.
  Turn *turn() const { return Order; }

  /// Addresses that it knows. For tests.
  size_t size() const { return Used; }
  size_t capacity() const { return Entries ? size_t(1) << Log2 : 0; }

private:
  friend struct Layout;
  friend class Turn;

  /// One of a list of tasks.
  struct Link {
    Node *Target;
    Link *Next;
  };
  /// Tasks without an order among them. Mostly there is one.
  struct Group {
    Node *First = nullptr;
    Link *Rest = nullptr;
  };

  /// A power of two, and no more than a line: one look, one line.
  static constexpr size_t EntryBytes = 64;

  /// What is known of one address.
  struct alignas(EntryBytes) Entry {
    uintptr_t Address = 0;
    Group Last;   ///< the latest users,
    Group Before; ///< and those that each of them waits for
    Mutex *Lock = nullptr;
    Access How = Access::None; ///< of Last; None: the entry is free
    uint32_t Count = 0;        ///< of Last
    uint32_t SweepAt = 0;      ///< with so many, look which have ended
  };

  explicit Domain(NodePool *Home) : Block{Home, nullptr} {}
  size_t slotOf(uintptr_t Address) const;
  const Entry *find(uintptr_t Address) const;
  Entry &findOrAdd(NodePool &Mine, uintptr_t Address);
  void makeTable();
  void rebuild(NodePool &Mine);
  const Group *awaited(const Entry &E, Access How) const;

  Link *newCell(NodePool &Mine);
  void freeCell(Link *Cell);
  void join(NodePool &Mine, Entry &E, Node &N);
  void become(NodePool &Mine, Entry &E, Access How, Node &N, void *Context);
  void forget(NodePool &Mine, Group &G);
  void forget(NodePool &Mine, Entry &E);
  void sweep(NodePool &Mine, Group &G, uint32_t &Count);
  static void follow(NodePool &Mine, Node &N, const Group &G, void *Context);

  Entry *Entries = nullptr; ///< of a table with linear probing
  size_t Used = 0;
  uint32_t Log2 = 0;
  Node *All = nullptr; ///< the last task that used all memory
  Turn *Order = nullptr;
  Link *Cells = nullptr;   ///< free, for Group::Rest
  Block *Blocks = nullptr; ///< that the cells lie in
};

} // namespace locus

#endif // LOCUS_DEPEND_DOMAIN_H
