//===- measure/probes.cpp - What a machine takes, measured ---------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/measure/probes.h"

#include "locus/support/cpu.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string.h>
#include <string>
#include <sys/mman.h>
#include <thread>

namespace locus::lab {

static double nowSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static constexpr int Tries = 5;

template <typename F> static double least(F &&Do) {
  double Best = Do();
  for (int I = 1; I < Tries; ++I)
    Best = std::min(Best, Do());
  return Best;
}

/// The compiler has to have \p Value.
template <typename T> static void keep(T &Value) {
  asm volatile("" : "+m"(Value) : : "memory");
}

//===----------------------------------------------------------------------===//
// Where things are
//===----------------------------------------------------------------------===//

ThisMachine::ThisMachine() {
  if (hwloc_topology_init(&Made) != 0 || hwloc_topology_load(Made) != 0)
    throw std::runtime_error("hwloc cannot read this machine");
  NumNodes = hwloc_get_nbobjs_by_type(Made, HWLOC_OBJ_NUMANODE);
  const int Count = hwloc_get_nbobjs_by_type(Made, HWLOC_OBJ_PU);
  for (int P = 0; P < Count; ++P) {
    const hwloc_obj_t Pu =
        hwloc_get_obj_by_type(Made, HWLOC_OBJ_PU, unsigned(P));
    Processors.push_back(Pu);
    Nodes.push_back(0);
    for (int N = 0; N < NumNodes; ++N)
      if (hwloc_bitmap_isset(
              hwloc_get_obj_by_type(Made, HWLOC_OBJ_NUMANODE, unsigned(N))
                  ->cpuset,
              Pu->os_index))
        Nodes.back() = N;
  }
}

ThisMachine::~ThisMachine() { hwloc_topology_destroy(Made); }

std::vector<int> ThisMachine::processorsOf(int Node) const {
  std::vector<int> All;
  for (int P = 0; P < numProcessors(); ++P)
    if (nodeOf(P) == Node)
      All.push_back(P);
  return All;
}

bool ThisMachine::share(hwloc_obj_type_t Type, int A, int B) const {
  const auto Above = [&](int P) {
    return hwloc_get_ancestor_obj_by_type(Made, Type, Processors[size_t(P)]);
  };
  return Above(A) && Above(A) == Above(B);
}

double ThisMachine::together(const std::vector<int> &On,
                             const std::function<void(size_t)> &Body) const {
  std::atomic<size_t> Ready{0};
  std::atomic<bool> Go{false};
  std::vector<std::thread> Threads;
  for (size_t I = 0; I < On.size(); ++I)
    Threads.emplace_back([&, I] {
      hwloc_set_cpubind(Made, Processors[size_t(On[I])]->cpuset,
                        HWLOC_CPUBIND_THREAD);
      ++Ready;
      while (!Go)
        std::this_thread::yield();
      Body(I);
    });
  while (Ready != On.size())
    std::this_thread::yield();
  const double Begin = nowSeconds();
  Go = true;
  for (std::thread &T : Threads)
    T.join();
  return nowSeconds() - Begin;
}

void *ThisMachine::memoryOn(int Node, size_t Bytes) const {
  const hwloc_obj_t Of =
      hwloc_get_obj_by_type(Made, HWLOC_OBJ_NUMANODE, unsigned(Node));
  void *Memory = NumNodes > 1 ? hwloc_alloc_membind(Made, Bytes, Of->nodeset,
                                                    HWLOC_MEMBIND_BIND,
                                                    HWLOC_MEMBIND_BYNODESET)
                              : hwloc_alloc(Made, Bytes);
  if (!Memory)
    throw std::runtime_error("no memory on node " + std::to_string(Node));
  // Large pages: what is measured are lines, not address translation.
  madvise(Memory, Bytes, MADV_HUGEPAGE);
  memset(Memory, 1, Bytes);
  return Memory;
}

void ThisMachine::release(void *Memory, size_t Bytes) const {
  hwloc_free(Made, Memory, Bytes);
}

//===----------------------------------------------------------------------===//
// Lines and memory
//===----------------------------------------------------------------------===//

double lineNs(const ThisMachine &M, int A, int B) {
  constexpr int Trips = 20000;
  struct alignas(2 * CacheLine) {
    std::atomic<int> Turn{0};
  } Ball;
  return least([&] {
    Ball.Turn = 0;
    double Begin = 0, End = 0;
    M.together({A, B}, [&](size_t Me) {
      for (int I = 0; I < Trips; ++I) {
        while (Ball.Turn.load(std::memory_order_acquire) % 2 != int(Me))
          ;
        // The first trips warm up.
        if (Me == 0 && I == Trips / 10)
          Begin = nowSeconds();
        Ball.Turn.fetch_add(1, std::memory_order_release);
      }
      if (Me == 0)
        End = nowSeconds();
    });
    return (End - Begin) * 1e9 / (2.0 * (Trips - Trips / 10));
  });
}

double memoryNs(const ThisMachine &M, int Node, int Processor) {
  constexpr size_t Bytes = size_t(256) << 20, Loads = 400000;
  char *Memory = static_cast<char *>(M.memoryOn(Node, Bytes));
  // A chain through some of the lines, in an order that nothing foresees.
  std::vector<uint32_t> Order(Bytes / CacheLine);
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin(), Order.end(), std::mt19937(1));
  const auto At = [&](size_t I) {
    return reinterpret_cast<void **>(Memory + Order[I] * CacheLine);
  };
  for (size_t I = 0; I < Order.size(); ++I)
    *At(I) = At((I + 1) % Order.size());
  void **Next = At(0);
  const double Ns = least([&] {
    double Seconds = 0;
    M.together({Processor}, [&](size_t) {
      const double Begin = nowSeconds();
      for (size_t I = 0; I < Loads; ++I)
        Next = static_cast<void **>(*Next);
      keep(Next);
      Seconds = nowSeconds() - Begin;
    });
    return Seconds * 1e9 / double(Loads);
  });
  M.release(Memory, Bytes);
  return Ns;
}

using Vector = double __attribute__((vector_size(64), aligned(64)));

static void readAll(const char *Memory, size_t Bytes) {
  Vector Sums[4] = {};
  for (size_t I = 0; I + 4 * sizeof(Vector) <= Bytes; I += 4 * sizeof(Vector))
    for (size_t K = 0; K < 4; ++K)
      Sums[K] +=
          *reinterpret_cast<const Vector *>(Memory + I + K * sizeof(Vector));
  Vector Sum = Sums[0] + Sums[1] + Sums[2] + Sums[3];
  keep(Sum);
}

static void writeAll(char *Memory, size_t Bytes) {
  const Vector One = {1, 1, 1, 1, 1, 1, 1, 1};
  for (size_t I = 0; I + sizeof(Vector) <= Bytes; I += sizeof(Vector))
    *reinterpret_cast<Vector *>(Memory + I) = One;
  keep(*Memory);
}

static constexpr size_t StreamBytes = size_t(128) << 20;

double readGBs(const ThisMachine &M, int Node,
               const std::vector<int> &Readers) {
  std::vector<char *> Parts;
  for (size_t I = 0; I < Readers.size(); ++I)
    Parts.push_back(static_cast<char *>(M.memoryOn(Node, StreamBytes)));
  const double Seconds = least([&] {
    return M.together(Readers,
                      [&](size_t I) { readAll(Parts[I], StreamBytes); });
  });
  for (char *Part : Parts)
    M.release(Part, StreamBytes);
  return double(StreamBytes) * double(Readers.size()) / Seconds * 1e-9;
}

double writeFactor(const ThisMachine &M, int Node, int Processor) {
  char *Memory = static_cast<char *>(M.memoryOn(Node, StreamBytes));
  const auto Seconds = [&](auto &&Do) {
    return least([&] {
      return M.together({Processor}, [&](size_t) { Do(Memory, StreamBytes); });
    });
  };
  const double Read = Seconds(readAll), Written = Seconds(writeAll);
  M.release(Memory, StreamBytes);
  return std::clamp(Written / Read, 1.0, 3.0);
}

double cacheGBs(const ThisMachine &M, int Processor, size_t Bytes) {
  constexpr int Times = 32;
  char *Memory = static_cast<char *>(M.memoryOn(M.nodeOf(Processor), Bytes));
  const double Seconds = least([&] {
    return M.together({Processor}, [&](size_t) {
      for (int I = 0; I < Times; ++I)
        readAll(Memory, Bytes);
    });
  });
  M.release(Memory, Bytes);
  return double(Bytes) * Times / Seconds * 1e-9;
}

} // namespace locus::lab
