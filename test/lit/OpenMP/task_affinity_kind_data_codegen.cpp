// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -x c++ -std=c++17 -Wno-vla-cxx-extension -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -Wno-vla-cxx-extension -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -x c++ -std=c++17 -Wno-vla-cxx-extension -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -emit-llvm -o - | FileCheck %s
// expected-no-diagnostics

// Address and length of affinity(data: ...): a pointer stands for the memory
// that it points to, of unknown length (0); other lvalues stand for themselves.

#ifndef HEADER
#define HEADER

void body();
double *get();

// CHECK-LABEL: define {{.*}}@_Z8pointersPdPvRS_(
void pointers(double *p, void *v, double *&r) {
  // CHECK: [[P:%.+]] = load ptr, ptr %p.addr
  // CHECK: [[V:%.+]] = ptrtoint ptr [[P]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: p)
  body();
  // CHECK: [[P:%.+]] = load ptr, ptr %p.addr
  // CHECK: [[Q:%.+]] = getelementptr inbounds double, ptr [[P]], i64 3
  // CHECK: [[V:%.+]] = ptrtoint ptr [[Q]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 1)
#pragma omp task affinity(data: p + 3, strict)
  body();
  // CHECK: [[P:%.+]] = load ptr, ptr %v.addr
  // CHECK: [[V:%.+]] = ptrtoint ptr [[P]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: v)
  body();
  // A reference to a pointer is that pointer.
  // CHECK: [[R:%.+]] = load ptr, ptr %r.addr
  // CHECK: [[P:%.+]] = load ptr, ptr [[R]]
  // CHECK: [[V:%.+]] = ptrtoint ptr [[P]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: r)
  body();
  // CHECK: [[P:%.+]] = call noundef ptr @_Z3getv()
  // CHECK: [[V:%.+]] = ptrtoint ptr [[P]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: get())
  body();
  // CHECK: [[V:%.+]] = ptrtoint ptr %p.addr to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: &p)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 0, i64 0, i32 0)
#pragma omp task affinity(data: nullptr)
  body();
}

struct S {
  int *ptr;
  int array[10];
  char c;
  void method(int n);
};
extern double Unbounded[];

// CHECK-LABEL: define {{.*}}@_Z7objectsPdR1SiPS0_(
void objects(double *p, S &s, int n, S *sp) {
  double local[32];
  // CHECK: [[V:%.+]] = ptrtoint ptr %local to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 256, i32 0)
#pragma omp task affinity(data: local)
  body();
  // CHECK: [[A:%.+]] = getelementptr inbounds [32 x double], ptr %local, i64 0, i64 %{{.+}}
  // CHECK: [[V:%.+]] = ptrtoint ptr [[A]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 8, i32 0)
#pragma omp task affinity(data: local[n])
  body();
  // CHECK: [[V:%.+]] = ptrtoint ptr %{{.+}} to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 8, i32 0)
#pragma omp task affinity(data: *p)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 56, i32 0)
#pragma omp task affinity(data: s)
  body();
  // CHECK: [[A:%.+]] = getelementptr inbounds nuw %struct.S, ptr %{{.+}}, i32 0, i32 1
  // CHECK: [[V:%.+]] = ptrtoint ptr [[A]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 40, i32 0)
#pragma omp task affinity(data: sp->array)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 1, i32 0)
#pragma omp task affinity(data: s.c)
  body();
  // A member that is a pointer is a pointer.
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(data: s.ptr)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 ptrtoint (ptr @Unbounded to i64), i64 0, i32 0)
#pragma omp task affinity(data: Unbounded)
  body();
  int vla[n];
  // CHECK: [[VLA:%vla]] = alloca i32, i64 %{{.+}}
  // CHECK: [[SIZE:%.+]] = mul nuw i64 %{{.+}}, 4
  // CHECK: [[V:%.+]] = ptrtoint ptr [[VLA]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 [[SIZE]], i32 0)
#pragma omp task affinity(data: vla)
  body();
#ifndef ROUND_TRIP // Clang does not print structured bindings.
  auto [x, y, z] = s;
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 40, i32 0)
#pragma omp task affinity(data: y)
  body();
#endif
}

// CHECK-LABEL: define {{.*}}@_ZN1S6methodEi(
void S::method(int n) {
  // CHECK: [[THIS:%.+]] = load ptr, ptr %this.addr
  // CHECK: [[V:%.+]] = ptrtoint ptr [[THIS]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 0, i32 0)
#pragma omp task affinity(data: this)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 56, i32 0)
#pragma omp task affinity(data: *this)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 40, i32 0)
#pragma omp task affinity(data: this->array)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 4, i32 0)
#pragma omp task affinity(data: array[n])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
#pragma omp task affinity(node: array[n])
  body();
}

// CHECK-LABEL: define {{.*}}@_Z8sectionsPdiPA10_A10_d(
void sections(double *p, int n, double (*m)[10][10]) {
  // CHECK: [[LOW:%.+]] = getelementptr inbounds nuw double, ptr %{{.+}}, i64 %{{.+}}
  // CHECK: [[UP:%.+]] = getelementptr inbounds nuw double, ptr %{{.+}}, i64 %{{.+}}
  // CHECK: [[END:%.+]] = getelementptr double, ptr [[UP]], i32 1
  // CHECK: [[LOW_INT:%.+]] = ptrtoint ptr [[LOW]] to i64
  // CHECK: [[END_INT:%.+]] = ptrtoint ptr [[END]] to i64
  // CHECK: [[SIZE:%.+]] = sub nuw i64 [[END_INT]], [[LOW_INT]]
  // CHECK: [[V:%.+]] = ptrtoint ptr [[LOW]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 [[SIZE]], i32 0)
#pragma omp task affinity(data: p[n:5])
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 1)
#pragma omp task affinity(data: (p[:n]), strict)
  body();
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: m[n][2:3][:])
  body();
  // CHECK: [[P:%.+]] = load ptr, ptr %p.addr
  // CHECK: [[ROW:%.+]] = mul nuw i64 8, %{{.+}}
  // CHECK: [[SIZE:%.+]] = mul nuw i64 [[ROW]], 4
  // CHECK: [[V:%.+]] = ptrtoint ptr [[P]] to i64
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 [[V]], i64 [[SIZE]], i32 0)
#pragma omp task affinity(data: ([n][4])p)
  body();
}

int lower();
int length();
int (&row())[10];

// The operands of a section are evaluated once, though both ends are needed.
// CHECK-LABEL: define {{.*}}@_Z13sections_oncev(
void sections_once() {
  // CHECK: call noundef ptr @_Z3getv()
  // CHECK-NOT: call noundef ptr @_Z3getv()
  // CHECK: call noundef i32 @_Z5lowerv()
  // CHECK-NOT: call noundef i32 @_Z5lowerv()
  // CHECK: call noundef i32 @_Z6lengthv()
  // CHECK-NOT: call noundef i32 @_Z6lengthv()
  // CHECK-NOT: call noundef ptr @_Z3getv()
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: get()[lower():length()])
  body();
  // CHECK: call {{.*}}ptr @_Z3rowv()
  // CHECK-NOT: call {{.*}}ptr @_Z3rowv()
  // CHECK: call noundef i32 @_Z5lowerv()
  // CHECK-NOT: call noundef i32 @_Z5lowerv()
  // CHECK-NOT: call {{.*}}ptr @_Z3rowv()
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3, i64 %{{.+}}, i64 %{{.+}}, i32 0)
#pragma omp task affinity(data: row()[lower():])
  body();
}

struct Temp {
  Temp();
  ~Temp();
  int index() const;
  operator int() const;
};

// Temporaries live until the expression is evaluated.
// CHECK-LABEL: define {{.*}}@_Z11temporariesPd(
void temporaries(double *p) {
  // CHECK: call void @_ZN4TempC1Ev(
  // CHECK: call noundef i32 @_ZNK4TempcviEv(
  // CHECK: call void @_ZN4TempD1Ev(
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 2,
#pragma omp task affinity(node: Temp())
  body();
  // CHECK: call void @_ZN4TempC1Ev(
  // CHECK: call noundef i32 @_ZNK4Temp5indexEv(
  // CHECK: call void @_ZN4TempD1Ev(
  // CHECK: call void @__kmpc_omp_task_affinity({{.+}}, i32 3,
#pragma omp task affinity(data: p[Temp().index():3])
  body();
  // CHECK: ret void
}

#endif
