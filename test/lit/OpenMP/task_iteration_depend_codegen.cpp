// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -x c++ -emit-llvm %s -o - | FileCheck --check-prefix SIMD-ONLY0 %s
// SIMD-ONLY0-NOT: {{__kmpc|__tgt}}
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -debug-info-kind=standalone -fprofile-instrument=clang -x c++ -emit-llvm %s -o /dev/null
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -DLAMBDA -emit-llvm %s -o - | FileCheck --check-prefix LAMBDA %s
// RUN: %clang_cc1 -triple i386-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck --check-prefix BITS32 %s
// expected-no-diagnostics

// How a taskloop with dependences is submitted: chunk by chunk, for each
// iteration of it what that depends on.

#ifndef HEADER
#define HEADER

void body(long);

// The whole of it. The task is allocated before, and the loop ends without an
// iteration if it has none.
// CHECK-LABEL: define {{.*}}@_Z5wholePdi(
// BITS32-LABEL: define {{.*}}@_Z5wholePdi(
void whole(double *a, int n) {
  // CHECK: call void @__kmpc_taskgroup(
  // CHECK: [[TASK:%.+]] = call ptr @__kmpc_omp_task_alloc(
  // CHECK: [[LOOP:%.+]] = call ptr @__kmpc_taskloop_dependent(ptr @{{.+}}, i32 %{{.+}}, ptr [[TASK]], i32 1, ptr %{{.+}}, ptr %{{.+}}, i64 %{{.+}}, i32 1, i32 0, i64 0, i32 0, ptr null, ptr null)
  // CHECK: [[ANY:%.+]] = icmp slt i32 1, %{{.+}}
  // CHECK: br i1 [[ANY]], label %taskloop.ask, label %taskloop.asked
  // CHECK: taskloop.next:
  // CHECK: [[MORE:%.+]] = call i32 @__kmpc_taskloop_depend_next(ptr [[LOOP]], ptr [[FIRST:%.+]], ptr [[LAST:%.+]])
  // CHECK: [[HAS:%.+]] = icmp ne i32 [[MORE]], 0
  // CHECK: br i1 [[HAS]], label %taskloop.chunk, label %taskloop.asked
  // CHECK: taskloop.chunk:
  // CHECK: [[F:%.+]] = load i64, ptr [[FIRST]]
  // CHECK: store i64 [[F]], ptr [[CURRENT:%.+]],
  // CHECK: br label %taskloop.evaluate
  // CHECK: taskloop.evaluate:
  // CHECK: store i8 1, ptr %{{.+}}
  // CHECK: store i8 3, ptr %{{.+}}
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr [[LOOP]], i32 2, ptr %{{.+}})
  // CHECK: taskloop.evaluated:
  // CHECK: [[C:%.+]] = load i64, ptr [[CURRENT]]
  // CHECK: [[L:%.+]] = load i64, ptr [[LAST]]
  // CHECK: [[IS:%.+]] = icmp eq i64 [[C]], [[L]]
  // CHECK: br i1 [[IS]], label %taskloop.next, label %taskloop.step
  // CHECK: taskloop.step:
  // CHECK: [[OLD:%.+]] = load i64, ptr [[CURRENT]]
  // CHECK: [[NEW:%.+]] = add i64 [[OLD]], 1
  // CHECK: store i64 [[NEW]], ptr [[CURRENT]]
  // CHECK: br label %taskloop.evaluate
  // CHECK: taskloop.asked:
  // CHECK-NOT: call {{.*}}@__kmpc_taskloop{{(_5)?}}(
  // CHECK: call void @__kmpc_end_taskgroup(
  // BITS32: call i32 @__kmpc_taskloop_depend_next(ptr
  // BITS32: call void @__kmpc_taskloop_depend_add(ptr %{{.+}}, i32 2, ptr %{{.+}})
#pragma omp taskloop
  for (int i = 1; i < n; ++i) {
#pragma omp task_iteration depend(in : a[i - 1]) depend(inout : a[i])
    body(i);
  }
}

// Without a taskgroup, with clauses of the loop.
// CHECK-LABEL: define {{.*}}@_Z6clausePdi(
void clause(double *a, int n) {
  // CHECK-NOT: call void @__kmpc_taskgroup(
  // CHECK: call ptr @__kmpc_taskloop_dependent(ptr @{{.+}}, i32 %{{.+}}, ptr %{{.+}}, i32 %{{.+}}, ptr %{{.+}}, ptr %{{.+}}, i64 %{{.+}}, i32 1, i32 1, i64 4, i32 1, ptr @{{.+}}, ptr null)
  double last;
#pragma omp taskloop nogroup if (n > 7) grainsize(strict : 4) lastprivate(last)
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(mutexinoutset : a[i]) depend(inoutset : a[n])
    last = i;
  }
}

// With places: these are asked for before the task is allocated.
// CHECK-LABEL: define {{.*}}@_Z6placesPdi(
void places(double *a, int n) {
  // CHECK: call ptr @__kmpc_taskloop_places(
  // CHECK: [[P:%.+]] = load ptr, ptr %taskloop.places
  // CHECK: call ptr @__kmpc_omp_task_alloc(
  // CHECK: call ptr @__kmpc_taskloop_dependent({{.+}}, ptr [[P]])
  // CHECK-NOT: call void @__kmpc_taskloop_placed(
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out : a[i]) affinity(data : a[i])
    body(i);
  }
}

// An iterator may have no values. All memory cannot be iterated over: its
// number is 0 or 1.
// CHECK-LABEL: define {{.*}}@_Z8iteratorPdi(
void iterator(double *a, int n) {
  // CHECK: taskloop.evaluate:
  // CHECK: call ptr @llvm.stacksave
  // CHECK: iter.body:
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr %{{.+}}, i32 %{{.+}}, ptr %{{.+}})
  // CHECK: call void @llvm.stackrestore
  // CHECK: taskloop.evaluated:
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(iterator(k = 0 : i), in : a[k])
    body(i);
  }
  // CHECK: taskloop.evaluate{{[0-9]+}}:
  // CHECK: store i8 -128, ptr %{{.+}}
  // CHECK: [[ANY:%.+]] = and i1 true, %{{.+}}
  // CHECK: [[COUNT:%.+]] = zext i1 [[ANY]] to i32
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr [[LOOP:%.+]], i32 [[COUNT]], ptr %{{.+}})
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr [[LOOP]], i32 1, ptr %{{.+}})
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(iterator(k = 0 : i), out : omp_all_memory)
#pragma omp task_iteration depend(out : a[i])
    body(i);
  }
}

// A nest that is not rectangular has no such iteration: nothing is added.
// CHECK-LABEL: define {{.*}}@_Z8trianglePdi(
void triangle(double *a, int n) {
  // CHECK: taskloop.evaluate:
  // CHECK: br i1 %{{.+}}, label %taskloop.exists, label %taskloop.evaluated
  // CHECK: taskloop.exists:
  // CHECK: call void @__kmpc_taskloop_depend_add(
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
#pragma omp task_iteration depend(out : a[i * n + j])
      body(j);
    }
}

template <typename T, int N> void templ(T *a, T n) {
#pragma omp parallel masked taskloop simd collapse(2)
  for (T i = 0; i < N; ++i)
    for (T j = 0; j < n; ++j) {
#pragma omp task_iteration depend(iterator(T k = 0 : j), in : a[k])
#pragma omp task_iteration depend(out : a[i])
      body(j);
    }
}
// CHECK-LABEL: define {{.*}}@_Z5templIiLi7EEvPT_S0_(
// CHECK: call void {{.*}}@__kmpc_fork_call(
// CHECK: call ptr @__kmpc_taskloop_dependent(
// CHECK: call void @__kmpc_taskloop_depend_add(
template void templ<int, 7>(int *, int);

#ifdef LAMBDA // With -fopenmp-simd Clang crashes, without the clause as well.
struct Lambda {
  int *p;
  void method(int n) {
    auto l = [=](int m) {
#pragma omp taskloop
      for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(inout : p[i + m])
        body(i);
      }
    };
    l(2);
  }
};
// LAMBDA-LABEL: define {{.*}}@_ZZN6Lambda6methodEiENKUliE_clEi(
// LAMBDA: call ptr @__kmpc_taskloop_dependent(
// LAMBDA: call void @__kmpc_taskloop_depend_add(
void use(int *p) { Lambda{p}.method(3); }
#endif

#endif
