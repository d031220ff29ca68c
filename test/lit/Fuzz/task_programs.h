// What the random programs of task_programs.py share. Without OpenMP, they say
// what is right; so the pragmas' copies are made by hand there.

#ifndef TASK_PROGRAMS_H
#define TASK_PROGRAMS_H

#ifdef __cplusplus
extern "C" {
#endif
int printf(const char *, ...);
void *memcpy(void *, const void *, __SIZE_TYPE__);
#ifdef __cplusplus
}
#endif

#ifdef _OPENMP
#include <omp.h>
#define SERIAL(...)
#else
#define SERIAL(...) __VA_ARGS__
typedef int omp_event_handle_t;
static void omp_fulfill_event(omp_event_handle_t Event) { (void)Event; }
#endif

// A variable's bytes, until GIVE_BACK.
#define KEEP(Copy, Var)                                                        \
  unsigned char Copy[sizeof(Var)];                                             \
  memcpy(Copy, (const void *)&(Var), sizeof(Var))
#define GIVE_BACK(Copy, Var) memcpy((void *)&(Var), Copy, sizeof(Var))

// Clauses and directives that gcc 12 does not know.
#ifdef __clang__
#define CLANG(...) __VA_ARGS__
#else
#define CLANG(...)
#endif

static unsigned long Sum;

/// A result. Their order does not matter.
static void put(unsigned long Id, unsigned long Value) {
  unsigned long Hash =
      (Id * 0x9E3779B97F4A7C15ul + Value) * 0xD6E8FEB86659FD93ul;
  Hash ^= Hash >> 29;
  __atomic_fetch_add(&Sum, Hash * 0x9FB21C651E98DF25ul, __ATOMIC_RELAXED);
}

/// Leaves its mark where a frame was.
__attribute__((noinline)) static int stir(int Value) {
  volatile long Room[80];
  for (int I = 0; I < 80; ++I)
    Room[I] = Value + 7;
  return (int)Room[Value & 63];
}

static long twice(long Value) { return 2 * Value; }
static long thrice(long Value) { return 3 * Value; }

struct Plain {
  int A;
  long B[3];
  short C;
  unsigned Bits : 5;
};
struct __attribute__((aligned(64))) Wide {
  double D[8];
};
typedef int Four __attribute__((vector_size(16)));
enum Color { Red, Green = 5, Blue = 9 };

static const int Constants[16] = {3, 1, 4, 1, 5, 9, 2, 6,
                                  5, 3, 5, 8, 9, 7, 9, 3};

#ifdef __cplusplus
static int Live;

/// Knows when it has been copied without its constructor, or is gone.
struct Object {
  long Value;
  Object *Self;
  Object(long V = 1) : Value(V), Self(this) { count(1); }
  Object(const Object &O) : Value(O.get()), Self(this) { count(1); }
  Object &operator=(const Object &O) {
    Value = O.get();
    return *this;
  }
  ~Object() {
    Self = nullptr;
    count(-1);
  }
  Object &operator+=(const Object &O) {
    Value += O.get();
    return *this;
  }
  long get() const { return Self == this ? Value : -99999; }
  static void count(int By) { __atomic_fetch_add(&Live, By, __ATOMIC_RELAXED); }
};
#pragma omp declare reduction(+ : Object : omp_out += omp_in)                  \
    initializer(omp_priv = Object(0))

struct Range {
  Object From, To;
  struct Iterator {
    long At;
    long operator*() const { return At; }
    Iterator &operator++() {
      ++At;
      return *this;
    }
    bool operator!=(const Iterator &O) const { return At != O.At; }
  };
  Range(long F, long T) : From(F), To(T) {}
  Iterator begin() const { return {From.get()}; }
  Iterator end() const { return {To.get()}; }
};

struct Pair {
  int X;
  Object Y;
};
struct Tuple {
  long L;
  Object O;
};
namespace std {
template <typename T> struct tuple_size;
template <decltype(sizeof(0)) I, typename T> struct tuple_element;
template <> struct tuple_size<Tuple> {
  static constexpr int value = 2;
};
template <> struct tuple_element<0, Tuple> {
  using type = long;
};
template <> struct tuple_element<1, Tuple> {
  using type = Object;
};
} // namespace std
template <int I> auto &get(Tuple &T) {
  if constexpr (I == 0)
    return T.L;
  else
    return T.O;
}
template <int I> auto get(Tuple &&T) {
  if constexpr (I == 0)
    return T.L;
  else
    return T.O;
}

template <typename T> struct Box {
  T Inside;
  Box(T V) : Inside(V) {}
  long get() const { return (long)Inside; }
};

#if __cplusplus >= 202002L
#include <coroutine>
/// Runs to its end in parts.
struct Coroutine {
  struct promise_type {
    Coroutine get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(long Value) {
      put(77, Value);
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> Handle;
  void run() {
    while (!Handle.done())
      Handle.resume();
    Handle.destroy();
  }
};
#endif
#endif

#endif
