"""Faults of the graph of dependences for `mutate`, and what the model sees of it."""

NODE, NODECPP = "locus/depend/node.h", "locus/depend/node.cpp"
POOL, POOLCPP = "locus/depend/node_pool.h", "locus/depend/node_pool.cpp"
DOMAIN, DOMAINCPP = "locus/depend/domain.h", "locus/depend/domain.cpp"


def field(file, declaration, rest=" "):
    """A field of a plain type that becomes one that the model sees."""
    kind, name = declaration.rsplit(" ", 1)
    if name.startswith("*"):
        kind, name = kind + " *", name[1:]
    const = "const " if kind.endswith(" *const") else ""
    return (file, f"  {declaration}{rest}", f"  {const}simulated::Plain<{kind.removesuffix('const')}> {name}{rest}")


def weaker(name, file, text, order):
    """A fault: the order behind the @ in the text becomes a weaker one. Leaves a place for weaker_too()."""
    before, behind = text.split("@")
    return (
        name,
        file,
        text.replace("@", "std::memory_order_"),
        f"{before}IF ? std::memory_order_{order} : /*{name}*/ std::memory_order_{behind}",
    )


def weaker_too(name, file, other, order):
    """A fault in the place of another one."""
    return (name, file, f"/*{other}*/", f"IF ? std::memory_order_{order} :")


# File; text that is there exactly once; what replaces it. Simulated atomics
# are large, and there is little room in a node and in a block.
SEEN = [
    field(POOL, "NodePool *Home", ";"),
    field(POOL, "Block *Next", ";"),
    (POOL, "BlockBytes = 128", "BlockBytes = 1024"),
    (NODE, "  using Slot = Node *; ", "  using Slot = simulated::Plain<Node *>; "),
    (NODE, "uint32_t Near = 8;", "uint32_t Near = 1;"),
    (NODE, "(BlockBytes - sizeof(Block)) / sizeof(Slot) - 1", "2"),
    field(NODE, "Followers *Older", ";"),
    field(NODE, "Mutex *Needed", ";"),
    field(NODE, "Need *Rest", ";"),
    (NODE, "  Task *const Owner;", "  const simulated::Plain<Task *> Owner;"),
    field(NODE, "int32_t Edges", " = 0;"),
    field(NODE, "uint32_t Holds", " = 0;"),
    field(NODE, "bool HoldsMutexes", " = false;"),
    field(NODE, "bool BehindEvent", " = false;"),
    field(NODE, "Followers *Newest", " = nullptr;"),
    field(NODE, "Need *Needs", " = nullptr;"),
    field(NODE, "uint32_t NumFar", " = 0;"),
    (NODECPP, "Need **At", "auto *At"),
    field(DOMAIN, "Node *Target", ";"),
    field(DOMAIN, "Link *Next", ";"),
    field(DOMAIN, "Link *Rest", " = nullptr;"),
    (DOMAINCPP, "Link **At", "auto *At"),
    (DOMAINCPP, "(BlockBytes - sizeof(Block)) / sizeof(Link)", "2"),
    (NODE, "== 1)\n      Mine.give(this);", "== 1) {\n      this->~Mutex();\n      Mine.give(this);\n    }"),
    (POOL, "  return First;", "  simulated::Watched.take(First);\n    return First;"),
    (POOL, "  void give(Block *Used) {", "  void give(Block *Used) {\n    simulated::Watched.give(Used);"),
    (POOLCPP, "  return First;", "  simulated::Watched.take(First);\n  return First;"),
    # The lock is made by the test.
    (POOL, "NodePool *NextLeft = nullptr; ///<", "public:\n  simulated::Plain<NodePool *> NextLeft = nullptr; ///<"),
    (POOLCPP, "static SpinLock LeftLock;", "SpinLock *LeftLock;"),
    (POOLCPP, "static NodePool *Left ", "NodePool *Left "),
    (POOLCPP, "Guard(LeftLock);\n    if", "Guard(*LeftLock);\n    if"),
    (POOLCPP, "Guard(LeftLock);\n  Pool", "Guard(*LeftLock);\n  Pool"),
    (POOLCPP, "Guard(LeftLock);\n  while", "Guard(*LeftLock);\n  while"),
    (
        POOLCPP,
        "  return Fresh;",
        "  simulated::Watched.watch(Fresh, sizeof(*Fresh), 0);\n  return Fresh;",
    ),
    (POOLCPP, "    free(Pool);", "    Pool->~NodePool();\n    simulated::Watched.keep(Pool);"),
]

FAULTS = [
    weaker("insertDoesNotAcquire", NODE, "Seen = First.State.load(@acquire);", "relaxed"),
    weaker("insertDoesNotRelease", NODE, "First.State.fetch_add(One, @acq_rel)", "acquire"),
    weaker_too("insertInVainDoesNotAcquire", NODE, "insertDoesNotRelease", "release"),
    (
        "insertIsNotAtomic",
        NODE,
        "  if (First.State.fetch_add(One,",
        """\
  if (IF) {
    const uint32_t Now = First.State.load(std::memory_order_acquire);
    First.State.store(Now + One, std::memory_order_release);
    if (!(Now & Closed))
      ++Edges;
    return !(Now & Closed);
  }
  if (First.State.fetch_add(One,""",
    ),
    ("insertWritesLate", NODE, "  *First.slot(Mine, Count) = this;", "  if (!IF)\n    *First.slot(Mine, Count) = this;"),
    (
        "insertWritesLate",
        NODE,
        "  ++Edges;\n  return true;\n}",
        "  if (IF)\n    *First.slot(Mine, Count) = this;\n  ++Edges;\n  return true;\n}",
    ),
    weaker("closeDoesNotAcquire", NODE, "1))\n    return State.fetch_or(Closed, @acq_rel)", "release"),
    weaker_too("closeDoesNotRelease", NODE, "closeDoesNotAcquire", "acquire"),
    (
        "closeIsNotAtomic",
        NODE,
        "  if (__builtin_expect(!OnEdge, 1))\n    return State",
        """\
  if (IF) {
    const uint32_t Seen = State.load(std::memory_order_acquire);
    State.store(Seen | Closed, std::memory_order_release);
    return Seen;
  }
  if (__builtin_expect(!OnEdge, 1))
    return State""",
    ),
    ("closeEnds", NODE, "1))\n    return State.fetch_or(Closed,", "1))\n    return State.fetch_or(IF ? Closed | Ended : Closed,"),
    weaker("endDoesNotAcquireTheDrop", NODE, "State.fetch_or(Ended, @acq_rel)", "release"),
    weaker_too("endDoesNotReleaseTheNode", NODE, "endDoesNotAcquireTheDrop", "acquire"),
    ("endIgnoresTheDrop", NODE, "    if (State.fetch_or(Ended,", "    if (!IF & State.fetch_or(Ended,"),
    weaker("aloneDoesNotAcquire", NODE, "Seen | Closed | Ended,\n" + 52 * " " + "@acq_rel", "release"),
    weaker_too("aloneDoesNotRelease", NODE, "aloneDoesNotAcquire", "acquire"),
    ("aloneIgnoresFollowers", NODE, "if (Seen >= One ||", "if ((Seen >= One && !IF) ||"),
    ("aloneIgnoresTheDrop", NODE, "  if (Seen & Dropped)", "  if ((Seen & Dropped) && !IF)"),
    weaker("dropLooksWithoutAcquire", NODE, "if ((State.load(@acquire) & Ended)", "relaxed"),
    weaker("dropDoesNotAcquire", NODE, "fetch_or(Dropped, @acq_rel)", "release"),
    weaker_too("dropDoesNotRelease", NODE, "dropDoesNotAcquire", "acquire"),
    ("dropOnlyLooks", NODE, "      (State.fetch_or(Dropped", "      (IF || State.fetch_or(Dropped"),
    weaker("endDoesNotAcquire", NODE, "Pending.fetch_sub(1, @acq_rel)", "release"),
    weaker_too("endDoesNotRelease", NODE, "endDoesNotAcquire", "acquire"),
    ("endReadsTheOwnerLate", NODE, "== 1 && Owner)", "== 1 && (IF ? static_cast<Task *>(N.Owner) : Owner))"),
    (
        "endIsCountedLate",
        NODE,
        "    Mine.countEnd(Home);\n    if (endAlone(Mine))",
        "    if (!IF)\n      Mine.countEnd(Home);\n    if (!IF && endAlone(Mine))",
    ),
    (
        "endIsCountedLate",
        NODE,
        "      free(Mine);\n  }\n\nprivate:",
        "      free(Mine);\n    if (IF)\n      Mine.countEnd(Home);\n  }\n\nprivate:",
    ),
    (
        "mutexesAreReleasedLate",
        NODE,
        "    if (__builtin_expect(HoldsMutexes, 0))\n",
        "    if (HoldsMutexes && !IF)\n",
    ),
    (
        "mutexesAreReleasedLate",
        NODE,
        "    prefetchFollowers(NumFollowers);",
        "    if (IF && HoldsMutexes)\n      releaseMutexes();\n    prefetchFollowers(NumFollowers);",
    ),
    weaker("registrationDoesNotAcquire", NODE, "fetch_sub(Rest, @acq_rel)", "release"),
    weaker_too("registrationDoesNotRelease", NODE, "registrationDoesNotAcquire", "acquire"),
    (
        "registrationIsNotAtomic",
        NODE,
        "  return Pending.fetch_sub(Rest,",
        """\
  if (IF) {
    const int32_t Before = Pending.load(std::memory_order_acquire);
    Pending.store(Before - Rest, std::memory_order_release);
    return Before == Rest;
  }
  return Pending.fetch_sub(Rest,""",
    ),
    ("registrationForgetsTheEdges", NODE, "Rest = Registering - Edges;", "Rest = Registering - (IF ? 0 : int32_t(Edges));"),
    ("unknownNodeStays", NODE, "  if (Holds == 0) //", "  if (Holds == 0 && !IF) //"),
    weaker("lookDoesNotAcquire", NODE, "const uint32_t Count = State.load(@acquire) / One;", "relaxed"),
    weaker("hasEndedDoesNotAcquire", NODE, "return (State.load(@acquire) & Closed) != 0;", "relaxed"),
    (
        "toldEndDoesNotLock",
        NODE,
        "  LockGuard Guard(ForTool);\n",
        "  if (IF)\n    return State.fetch_or(Closed, std::memory_order_acq_rel);\n  LockGuard Guard(ForTool);\n",
    ),
    (
        "toldFollowDoesNotLock",
        NODE,
        "  LockGuard Guard(First.ForTool);\n",
        """\
  if (IF) {
    const int32_t Before = Edges;
    if (insert(Mine, First) && Edges != Before)
      OnEdge(First.Owner, Owner, Context);
    return;
  }
  LockGuard Guard(First.ForTool);
""",
    ),
    weaker("mutexDoesNotAcquire", NODE, "exchange(true, @acquire)", "relaxed"),
    weaker("mutexDoesNotRelease", NODE, "store(false, @release)", "relaxed"),
    (
        "mutexIsNotAtomic",
        NODE,
        "    return !Held.load(std::memory_order_relaxed) &&",
        """\
    if (IF) {
      if (Held.load(std::memory_order_acquire))
        return false;
      Held.store(true, std::memory_order_relaxed);
      return true;
    }
    return !Held.load(std::memory_order_relaxed) &&""",
    ),
    weaker("mutexDropDoesNotOrder", NODE, "Users.fetch_sub(1, @acq_rel)", "relaxed"),
    ("mutexHasOneUser", NODECPP, "  M.use();", "  if (!IF)\n    M.use();"),
    weaker("receiveDoesNotRelease", POOLCPP, "First, @release,", "relaxed"),
    weaker("takeDoesNotAcquire", POOLCPP, "exchange(nullptr, @acquire)", "relaxed"),
    (
        "receiveIsNotAtomic",
        POOLCPP,
        "  Block *Head = Returned.load(std::memory_order_relaxed);\n",
        """\
  Block *Head = Returned.load(std::memory_order_relaxed);
  if (IF) {
    Last->Next = Head;
    return Returned.store(First, std::memory_order_release);
  }
""",
    ),
    (
        "receiveKeepsTheFirstHead",
        POOLCPP,
        "  do\n    Last->Next = Head;",
        """\
  bool IsFirst = true;
  do {
    if (!IF || IsFirst)
      Last->Next = Head;
    IsFirst = false;
  }""",
    ),
    weaker("endsDoNotRelease", POOLCPP, "fetch_add(Ends, @release)", "relaxed"),
    weaker("abandonDoesNotAcquire", POOLCPP, "numLive(@acquire)", "relaxed"),
    (
        "abandonIgnoresTheEnds",
        POOLCPP,
        "numAway() == 0 && Pool",
        "numAway() == 0 && (IF ? 0 : 1) * Pool",
    ),
    ("abandonIgnoresTheBlocks", POOLCPP, "(Pool->numAway() == 0", "((IF || Pool->numAway() == 0)"),
    ("abandonDoesNotFlush", POOLCPP, "  Pool->flush();", "  if (!IF)\n    Pool->flush();"),
    (
        "adoptDoesNotLock",
        POOLCPP,
        "    LockGuard Guard(LeftLock);\n    if",
        """\
    if (NodePool *Found = IF ? Left : nullptr) {
      Left = Found->NextLeft;
      return Found;
    }
    LockGuard Guard(LeftLock);
    if""",
    ),
    ("batchIsSentTwice", POOLCPP, "  BatchFirst = BatchLast = nullptr;", "  if (!IF)\n    BatchFirst = BatchLast = nullptr;"),
]
