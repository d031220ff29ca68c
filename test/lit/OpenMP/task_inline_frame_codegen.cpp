// A task in place that might take much room in the frame of its creator is
// called and never inlined, wherever the creator goes; all others may be.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O2 -disable-llvm-passes -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,ALONE
// With link-time optimization a function of another file may be inlined.
// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O2 -disable-llvm-passes -flto=full -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LINKED
// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O2 -disable-llvm-passes -flto=thin -emit-llvm %s -o - | FileCheck %s --check-prefixes=CHECK,LINKED
// The optimizer heeds it.
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O3 -emit-llvm %s -o - | FileCheck %s --check-prefix=FINAL
// expected-no-diagnostics

void use(char *);
extern void (*Pointer)(int);

// FINAL-LABEL: define {{.*}}@_Z3ownv(
// FINAL: call i32 @.omp_task_entry
// FINAL: ret void
// FINAL-LABEL: define {{.*}}@_Z5smallPl(
// FINAL-NOT: call i32 @.omp_task_entry
// FINAL: ret void

// CHECK-LABEL: define {{.*}}@_Z3ownv(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED:#[0-9]+]]
void own() {
#pragma omp task
  {
    char Memory[300];
    use(Memory);
  }
}

// CHECK-LABEL: define {{.*}}@_Z5smallPl(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[INLINED:#[0-9]+]]
void small(long *Result) {
#pragma omp task
  {
    long Numbers[4] = {1, 2, 3, 4};
    *Result = Numbers[*Result & 3];
  }
}

static void leaf() {
  char Memory[300];
  use(Memory);
}
static void leafOfLeaf() { leaf(); }

// CHECK-LABEL: define {{.*}}@_Z8ofCalleev(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofCallee() {
#pragma omp task
  leafOfLeaf();
}

__attribute__((noinline)) static void alwaysCalled() { leaf(); }

// CHECK-LABEL: define {{.*}}@_Z14ofAlwaysCalledv(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
void ofAlwaysCalled() {
#pragma omp task
  alwaysCalled();
}

// What a pointer points to may be known later.
// CHECK-LABEL: define {{.*}}@_Z9ofPointeev(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofPointee() {
#pragma omp task
  Pointer(1);
}

// CHECK-LABEL: define {{.*}}@_Z8ofAllocai(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofAlloca(int N) {
#pragma omp task firstprivate(N)
  use(static_cast<char *>(__builtin_alloca(N)));
}

// CHECK-LABEL: define {{.*}}@_Z7ofOtherv(
// ALONE: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
// LINKED: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofOther() {
#pragma omp task
  use(nullptr);
}

// A task that is called makes no other large.
// CHECK-LABEL: define {{.*}}@_Z6ofTaskv(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
void ofTask() {
#pragma omp task
  own();
}

struct Argument {
  char Memory[300];
};
extern Argument Passed;
__attribute__((noinline)) void take(Argument);

// The frame has room for arguments on the stack, also of functions that are
// never inlined.
// CHECK-LABEL: define {{.*}}@_Z10ofArgumentv(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofArgument() {
#pragma omp task
  take(Passed);
}

typedef double Vector __attribute__((vector_size(512)));

// CHECK-LABEL: define {{.*}}@_Z8ofVectorPDv64_d(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofVector(Vector *Numbers) {
#pragma omp task
  {
    Vector Copy = *Numbers;
    use((char *)&Copy);
  }
}

static void link1() {
  char Memory[200];
  use(Memory);
}
static void link2() {
  char Memory[200];
  use(Memory);
  link1();
}
static void link3() {
  char Memory[200];
  use(Memory);
  link2();
}

// CHECK-LABEL: define {{.*}}@_Z7ofChainv(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofChain() {
#pragma omp task
  link3();
}

// What is called one after the other shares the room.
// CHECK-LABEL: define {{.*}}@_Z9ofSeveralv(
// ALONE: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
void ofSeveral() {
#pragma omp task
  {
    link2();
    link1();
    link1();
  }
}

// Recursions by tasks stay as they are, with as many tasks as these.
// CHECK-LABEL: define {{.*}}@_Z4treel(
// CHECK-COUNT-8: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
long tree(long N) {
  if (N < 2)
    return N;
  long A, B, C, D, E, F, G, H;
#pragma omp task shared(A)
  A = tree(N - 1);
#pragma omp task shared(B)
  B = tree(N - 2);
#pragma omp task shared(C)
  C = tree(N - 3);
#pragma omp task shared(D)
  D = tree(N - 4);
#pragma omp task shared(E)
  E = tree(N - 5);
#pragma omp task shared(F)
  F = tree(N - 6);
#pragma omp task shared(G)
  G = tree(N - 7);
#pragma omp task shared(H)
  H = tree(N - 8);
#pragma omp taskwait
  return A + B + C + D + E + F + G + H;
}

// A program's own names do not make a task of what is none.
struct kmp_task_t_with_privates_of_mine {
  char Memory[300];
};
void useNamesake(kmp_task_t_with_privates_of_mine *);

// CHECK-LABEL: define {{.*}}@_Z10ofNamesakev(
// CHECK: call i32 @.omp_task_entry{{.*}}) [[CALLED]]
void ofNamesake() {
#pragma omp task
  {
    kmp_task_t_with_privates_of_mine Memory;
    useNamesake(&Memory);
  }
}

struct Some {
  char Memory[40];
};
struct Much {
  char Memory[200];
};

// Little private data is in the frame, much only while the task runs.
// CHECK-LABEL: define {{.*}}@_Z4data4Some4Much(
// CHECK: alloca %struct.kmp_task_t_with_privates
// CHECK-NOT: alloca %struct.kmp_task_t_with_privates
// CHECK-NOT: @llvm.stacksave
// CHECK: call i32 @.omp_task_entry{{.*}}) [[INLINED]]
// CHECK: [[STACK:%.+]] = call ptr @llvm.stacksave.p0()
// CHECK: store ptr [[STACK]], ptr [[SAVED:%.+]], align 8
// CHECK: [[TASK:%.+]] = alloca %struct.kmp_task_t_with_privates{{.*}}, align 8
// CHECK: call i32 @.omp_task_entry{{.*}}ptr [[TASK]]) [[INLINED]]
// CHECK: [[BACK:%.+]] = load ptr, ptr [[SAVED]], align 8
// CHECK: call void @llvm.stackrestore.p0(ptr [[BACK]])
// CHECK: ret void
void data(Some Little, Much More) {
#pragma omp task firstprivate(Little)
  Little.Memory[0] = 1;
#pragma omp task firstprivate(More)
  More.Memory[0] = 1;
}

// CHECK-DAG: attributes [[CALLED]] = {{.*}}noinline
// CHECK-DAG: attributes [[INLINED]] = { nounwind }
