// Target regions of gcc's on the host, and what else it asks of the device.

#include "check.h"

#pragma weak omp_set_task_affinity
void omp_set_task_affinity(int Kind, uintptr_t Value, int Strict);

void GOMP_target(int Device, void (*Function)(void *), const void *Unused,
                 size_t Count, void **Addresses, size_t *Sizes,
                 unsigned char *Kinds);

typedef struct {
  long Numbers[5];
} Some;

/// Mapped variables are the host's own; firstprivate ones are copies.
static void regions(void) {
  int Sum = 0, Small = 1, Array[4] = {1, 2, 3, 4};
  double Number = 2.5;
  Some Struct = {{1, 2, 3, 4, 5}};
  _Alignas(64) char Aligned[64] = {9};
  CHECK_EQUAL(omp_get_num_devices(), 0, "devices");
  CHECK_EQUAL(omp_get_device_num(), omp_get_initial_device(), "the host");
#pragma omp target map(tofrom : Sum) map(to : Array)                           \
    firstprivate(Small, Number, Struct, Aligned)
  {
    CHECK(omp_is_initial_device(), "on the host");
    Sum = Small + Array[2] + (int)Number + (int)Struct.Numbers[3] + Aligned[0];
    CHECK_EQUAL((uintptr_t)Aligned % 64, 0, "alignment of a copy");
    Small = 7;
    Number = 8;
    Struct.Numbers[3] = Aligned[0] = 1;
  }
  CHECK_EQUAL(Sum, 1 + 3 + 2 + 4 + 9, "a target region");
  CHECK(Small == 1 && Number == 2.5 && Struct.Numbers[3] == 4 &&
            Aligned[0] == 9,
        "firstprivate variables changed");
#pragma omp target if (0) map(tofrom : Sum)
  Sum = 3;
  CHECK_EQUAL(Sum, 3, "if(0)");
  Sum = 0;
#pragma omp target map(tofrom : Sum)
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < 100; ++I)
    Sum += I;
  CHECK_EQUAL(Sum, 4950, "a parallel loop");
}

static void teams(void) {
  int Ran[100] = {0}, Teams = 0;
#pragma omp target teams distribute parallel for num_teams(4) thread_limit(2)  \
    map(tofrom : Ran)
  for (int I = 0; I < 100; ++I)
    add(&Ran[I], 1);
  for (int I = 0; I < 100; ++I)
    CHECK_EQUAL(Ran[I], 1, "an iteration of distribute");
#pragma omp target teams num_teams(2) map(tofrom : Teams, Ran)
  {
    Teams = omp_get_num_teams();
    ++Ran[omp_get_team_num()];
  }
  for (int I = 0; I < Teams; ++I)
    CHECK_EQUAL(Ran[I], 2, "a team");
}

/// A region has a team of one thread, also inside the team that meets it.
static void alone(void) {
  int Ran = 0, Once = 0, Threads = 0, Thread = -1;
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == 2) {
#pragma omp target map(tofrom : Ran, Once, Threads, Thread)
    {
      Threads = omp_get_num_threads();
      Thread = omp_get_thread_num();
#pragma omp for schedule(static) nowait
      for (int I = 0; I < 90; ++I)
        ++Ran;
#pragma omp for schedule(dynamic) nowait
      for (int I = 0; I < 10; ++I)
        ++Ran;
      CHECK_EQUAL(Ran, 100, "the iterations of a loop");
#pragma omp single
      ++Once;
    }
    CHECK(omp_get_num_threads() == 3 && omp_get_thread_num() == 2,
          "the team after the region");
  }
  CHECK(Threads == 1 && Thread == 0, "the team of a region");
  CHECK_EQUAL(Once, 1, "single");
}

/// Dependences hold between target constructs and tasks.
static void depend(void) {
  for (int Round = 0; Round < 50; ++Round) {
    int Value = 0, Saw = 0;
#pragma omp task depend(out : Value) shared(Value)
    {
      dither((unsigned)Round);
      Value = 1;
    }
#pragma omp target nowait depend(inout : Value) map(tofrom : Value)
    ++Value;
#pragma omp task depend(inout : Value) shared(Value)
    {
      dither((unsigned)Round);
      Value *= 5;
    }
#pragma omp target enter data map(to : Value) depend(inout : Value) nowait
#pragma omp task depend(in : Value) shared(Value, Saw)
    Saw = Value;
#pragma omp target update from(Value) depend(in : Value)
    CHECK_EQUAL(Value, 10, "after an update");
#pragma omp taskwait
    CHECK_EQUAL(Saw, 10, "a task");
#pragma omp target data map(tofrom : Value)
    Value = 11;
#pragma omp target exit data map(from : Value)
    CHECK_EQUAL(Value, 11, "target data");
  }
}

/// What is firstprivate is copied before the construct waits: the thread that
/// meets it runs the task that lets the other one go on only then.
static void copied(void) {
  int Waits = 0, Value = 0;
  Some Before = {{3}};
#pragma omp parallel num_threads(2)
#pragma omp master
  {
    omp_set_task_affinity(1, 1, 1);
#pragma omp task depend(out : Value) shared(Waits, Value, Before)
    {
      WAIT_FOR(&Waits, 1);
      Before.Numbers[0] = 4;
      Value = 1;
    }
    omp_set_task_affinity(1, 0, 1);
#pragma omp task shared(Waits)
    set(&Waits, 1);
#pragma omp target depend(inout : Value) map(tofrom : Value)                   \
    firstprivate(Before)
    Value += (int)Before.Numbers[0];
  }
  CHECK_EQUAL(Value, 1 + 3, "a firstprivate variable that a task changes");
}

static void setFive(void *Addresses) {
  ***(int ***)Addresses = 4 + omp_get_num_threads();
}

/// As gcc 4.9 calls it.
static void oldRegion(void) {
  int Value = 0, *Pointer = &Value;
  void *Addresses[] = {&Pointer};
  size_t Sizes[] = {sizeof(Pointer)};
  unsigned char Kinds[] = {0};
  GOMP_target(0, setFive, NULL, 1, Addresses, Sizes, Kinds);
  CHECK_EQUAL(Value, 5, "GOMP_target");
}

#ifdef LINKED
// A program that was linked with this runtime has these routines from
// libomptarget or not at all.
static void memory(void) {}
#else
#if __GNUC__ >= 13
static void newer(int *Memory, int Host) {
  int From[2] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int Round = 1; Round < 50; ++Round) {
    omp_depend_t Depend[2];
#pragma omp depobj(Depend[0]) depend(in : Memory[1])
#pragma omp depobj(Depend[1]) depend(inout : From)
#pragma omp task depend(out : From) shared(From)
    {
      dither((unsigned)Round);
      From[1] = Round;
    }
    CHECK_EQUAL(omp_target_memcpy_async(Memory, From, sizeof(int), 0,
                                        sizeof(int), Host, -1, 2, Depend),
                0, "omp_target_memcpy_async");
#pragma omp taskwait
    CHECK_EQUAL(Memory[0], Round, "a number copied behind a task");
    const size_t One = 1, Two = 2, None = 0;
    CHECK_EQUAL(omp_target_memcpy_rect_async(Memory, From, sizeof(int), 1, &One,
                                             &One, &None, &Two, &Two, Host,
                                             Host, 0, NULL),
                0, "omp_target_memcpy_rect_async");
    CHECK_EQUAL(Memory[1], 0, "a number copied at once");
#pragma omp depobj(Depend[0]) destroy
#pragma omp depobj(Depend[1]) destroy
  }
  CHECK(omp_get_mapped_ptr(Memory, Host) == Memory, "omp_get_mapped_ptr");
  CHECK(!omp_get_mapped_ptr(Memory, Host + 5), "mapped to no device");
  CHECK(omp_target_is_accessible(Memory, 4, Host), "omp_target_is_accessible");
  CHECK(!omp_target_is_accessible(Memory, 4, Host + 5), "from no device");
}
#else
static void newer(int *Memory, int Host) { (void)Memory, (void)Host; }
#endif

static void memory(void) {
  const int Host = omp_get_initial_device();
  int Local[3][4], Two[2][2] = {{0}};
  for (int I = 0; I < 12; ++I)
    Local[I / 4][I % 4] = I;
  int *Memory = omp_target_alloc(sizeof(Local), Host);
  CHECK(Memory, "omp_target_alloc");
  CHECK(!omp_target_alloc(8, Host + 5), "memory of no device");
  int *Initial = omp_target_alloc(sizeof(Local), -1);
  CHECK(Initial, "memory of omp_initial_device");
  omp_target_free(Initial, -1);
  CHECK(omp_target_is_present(Memory, Host), "omp_target_is_present");
  CHECK(!omp_target_is_present(Memory, Host + 5), "present on no device");
  CHECK_EQUAL(omp_target_memcpy(Memory, Local, 8 * sizeof(int), 0,
                                4 * sizeof(int), Host, Host),
              0, "omp_target_memcpy");
  CHECK_EQUAL(Memory[7], 11, "a copied number");
  CHECK(omp_target_memcpy(Memory, Local, 4, 0, 0, Host + 5, Host) != 0,
        "a copy to no device");
  const size_t Volume[2] = {2, 2}, To[2] = {0, 0}, From[2] = {1, 2};
  const size_t ToSize[2] = {2, 2}, FromSize[2] = {3, 4};
  CHECK_EQUAL(omp_target_memcpy_rect(Two, Local, sizeof(int), 2, Volume, To,
                                     From, ToSize, FromSize, Host, Host),
              0, "omp_target_memcpy_rect");
  CHECK(Two[0][0] == 6 && Two[0][1] == 7 && Two[1][0] == 10 && Two[1][1] == 11,
        "a copied rectangle");
  CHECK(omp_target_memcpy_rect(NULL, NULL, 4, 1, Volume, To, From, ToSize,
                               FromSize, Host, Host) >= 3,
        "dimensions");
  CHECK(omp_target_associate_ptr(Local, Memory, 4, 0, Host) != 0, "associate");
  CHECK(omp_target_disassociate_ptr(Local, Host) != 0, "disassociate");
  newer(Memory, Host);
  omp_target_free(Memory, Host);
}
#endif

int main(void) {
  CHECK(omp_set_task_affinity, "not our runtime");
  regions();
  teams();
  alone();
  oldRegion();
  copied();
  memory();
#pragma omp parallel
#pragma omp single
  {
    regions();
    teams();
    oldRegion();
    depend();
  }
  return 0;
}
