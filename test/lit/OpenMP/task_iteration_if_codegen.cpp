// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -Wall -Wextra -Wno-sign-compare -x c++ -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -x c++ -emit-llvm %s -o - | FileCheck --check-prefix SIMD-ONLY0 %s
// SIMD-ONLY0-NOT: {{__kmpc|__tgt}}
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -emit-llvm %s -o - | FileCheck --check-prefix LAMBDA %s
// RUN: %clang_cc1 -triple x86_64-unknown-linux-gnu -fopenmp -O1 -debug-info-kind=standalone -fprofile-instrument=clang -fexceptions -fcxx-exceptions -x c++ -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// 'if' of a task_iteration: where it is false, nothing of its directive is
// evaluated.

#ifndef HEADER
#define HEADER

struct Temporary {
  Temporary(int);
  ~Temporary();
  int &cell() const;
};
typedef void *omp_depend_t;
struct Row {
  int length;
  int *items;
};
void body(int);

// CHECK-LABEL: define {{.*}}@_Z6dependPii(
void depend(int *a, int n) {
  // Without a condition first; what has the same one together.
  // CHECK: taskloop.evaluate:
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr %{{.+}}, i32 1, ptr %{{.+}})
  // CHECK: [[REST:%.+]] = srem i32 %{{.+}}, 4
  // CHECK: [[IF:%.+]] = icmp ne i32 [[REST]], 0
  // CHECK: br i1 [[IF]], label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr %{{.+}}, i32 2, ptr %{{.+}})
  // CHECK: br label %taskloop.endif
  // CHECK: taskloop.endif:
  // CHECK: br i1 %{{.+}}, label %taskloop.then{{[0-9]+}}, label %taskloop.endif{{[0-9]+}}
  // CHECK: taskloop.then{{[0-9]+}}:
  // CHECK: store i8 -128, ptr %{{.+}}
  // CHECK: call void @__kmpc_taskloop_depend_add(ptr %{{.+}}, i32 1, ptr %{{.+}})
  // CHECK: taskloop.endif{{[0-9]+}}:
  // CHECK: taskloop.evaluated:
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in : a[i]) if (i % 4) depend(out : a[n])
#pragma omp task_iteration if (task_iteration : i == 5), depend(out : omp_all_memory)
#pragma omp task_iteration depend(in : a[0])
    body(i);
  }
}

// The sizes of objects, and arrays for them.
// CHECK-LABEL: define {{.*}}@_Z6depobjPPvi(
void depobj(omp_depend_t *o, int n) {
  // CHECK: taskloop.evaluate:
  // CHECK-NOT: getelementptr %struct.kmp_depend_info
  // CHECK-NOT: call ptr @llvm.stacksave
  // CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: getelementptr %struct.kmp_depend_info, ptr %{{.+}}, i64 -1
  // CHECK: call ptr @llvm.stacksave
  // CHECK: call void @__kmpc_taskloop_depend_add(
  // CHECK: call void @llvm.stackrestore
  // CHECK: taskloop.endif:
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(depobj : o[i]) if (i & 1)
    body(i);
  }
}

// Ranges of iterators.
// CHECK-LABEL: define {{.*}}@_Z8iteratorPP3Rowi(
void iterator(Row **rows, int n) {
  // CHECK: taskloop.evaluate:
  // CHECK-NOT: getelementptr inbounds nuw %struct.Row
  // CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: getelementptr inbounds nuw %struct.Row
  // CHECK: taskloop.endif:
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(iterator(k = 0 : rows[i]->length), in : rows[i]->items[k]) if (rows[i])
    body(i);
  }
}

// Temporaries, those of the condition as well.
// CHECK-LABEL: define {{.*}}@_Z9temporaryi(
void temporary(int n) {
  // CHECK: taskloop.evaluate:
  // CHECK: call void @_ZN9TemporaryC1Ei(
  // CHECK: [[IF:%.+]] = icmp ne i32 %{{.+}}, 0
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: br i1 [[IF]], label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: call void @_ZN9TemporaryC1Ei(
  // CHECK: call void @_ZN9TemporaryD1Ev(
  // CHECK: taskloop.endif:
  // CHECK-NOT: call void @_ZN9TemporaryD1Ev(
  // CHECK: taskloop.evaluated:
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(inout : Temporary(i).cell()) if (Temporary(7).cell())
    body(i);
  }
}

// A part may have no placement, and a locator of a list no memory.
// CHECK-LABEL: define {{.*}}@_Z9placementPii(
void placement(int *a, int n) {
  // CHECK: taskloop.part:
  // CHECK: store i8 0, ptr [[SEEN:%.+]],
  // CHECK: taskloop.evaluate:
  // CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: call i64 @llvm.umin.i64(
  // CHECK: call i64 @llvm.umax.i64(
  // CHECK: store i8 1, ptr [[SEEN]],
  // CHECK: taskloop.endif:
  // CHECK: taskloop.set:
  // CHECK: load i8, ptr [[SEEN]]
  // CHECK: br i1 %{{.+}}, label %taskloop.seen{{[0-9]+}}, label %taskloop.next
  // CHECK: taskloop.seen{{[0-9]+}}:
  // CHECK: call void @__kmpc_taskloop_places_set(
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(data : a[i], strict) if (i % 4)
    body(i);
  }
}

// CHECK-LABEL: define {{.*}}@_Z4listPii(
void list(int *a, int n) {
  // CHECK: taskloop.evaluate:
  // CHECK: call i64 @llvm.umin.i64(
  // CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
  // CHECK: taskloop.then:
  // CHECK: call i64 @llvm.umin.i64(
  // CHECK: taskloop.endif:
  // CHECK: br i1 %{{.+}}, label %taskloop.then{{[0-9]+}}, label %taskloop.endif{{[0-9]+}}
  // CHECK: iter.body:
  // CHECK: call void @__kmpc_taskloop_places_set(
  // CHECK: taskloop.set:
  // CHECK: [[BEGIN:%.+]] = load i64, ptr %{{.+}}
  // CHECK: [[END:%.+]] = load i64, ptr %{{.+}}
  // CHECK: [[ANY:%.+]] = icmp ule i64 [[BEGIN]], [[END]]
  // CHECK: br i1 [[ANY]], label %taskloop.named, label %taskloop.unnamed
  // CHECK: taskloop.named:
  // CHECK: call void @__kmpc_taskloop_places_set(
  // CHECK: taskloop.unnamed:
  // CHECK: taskloop.named{{[0-9]+}}:
  // CHECK: call void @__kmpc_taskloop_places_set(
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) if (i % 4)
#pragma omp task_iteration affinity(iterator(k = 0 : i) : a[k]) if (i)
#pragma omp task_iteration affinity(a[0 : n])
    body(i);
  }
}

template <typename T, int N> void templ(T *a, T n) {
#pragma omp parallel masked taskloop simd collapse(2)
  for (T i = 0; i < N; ++i)
    for (T j = 0; j < n; ++j) {
#pragma omp task_iteration depend(iterator(T k = 0 : j), in : a[k]) if (i)
#pragma omp task_iteration depend(out : a[i]) if (Temporary(j).cell())
      body(j);
    }
}
// CHECK-LABEL: define {{.*}}@_Z5templIiLi7EEvPT_S0_(
// CHECK: call void {{.*}}@__kmpc_fork_call(
// CHECK: call ptr @__kmpc_taskloop_dependent(
// CHECK: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
// CHECK: call void @_ZN9TemporaryC1Ei(
// CHECK: call void @_ZN9TemporaryD1Ev(
// CHECK: br i1 %{{.+}}, label %taskloop.then{{[0-9]+}}, label %taskloop.endif{{[0-9]+}}
template void templ<int, 7>(int *, int);

static int global;
struct Lambda {
  int *p;
  void method(int n) {
    auto l = [=](int m) {
#pragma omp taskloop private(global)
      for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(inout : p[i + m]) if (n - m + global)
        body(i);
      }
    };
    l(2);
  }
};
// LAMBDA-LABEL: define {{.*}}@_ZZN6Lambda6methodEiENKUliE_clEi(
// LAMBDA: call ptr @__kmpc_taskloop_dependent(
// LAMBDA: load i32, ptr @_ZL6global
// LAMBDA: br i1 %{{.+}}, label %taskloop.then, label %taskloop.endif
void use(int *p) { Lambda{p}.method(3); }

#endif
