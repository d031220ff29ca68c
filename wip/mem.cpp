#include <stdio.h>
struct Base { protected: int pm = 1; };
struct S : Base { int m = 5; int arr[4] = {1,2,3,4}; union { int u; float f; }; int &r; int bits : 5;
 static int bad;
 S() : u(7), r(m), bits(3) {}
 template<class T> T tmpl(T t) { T s = 0;
#pragma omp parallel firstprivate(m, pm) num_threads(2) reduction(+:s)
  { m += 1; pm += 1; auto L = [&] { return m + pm + u + bits; };
#pragma omp task shared(s)
    { 
#pragma omp atomic
      s += m; }
#pragma omp taskwait
    s += L();
#pragma omp critical
    { s += t; } }
  return s; }
 int generic() { int s = 0; auto G = [&, this](auto t) {
#pragma omp parallel firstprivate(m) num_threads(2) reduction(+:s)
   { m += t; auto I = [=]() mutable { m += 1; return m; }; s += I() + m; } };
  G(1); G(2L); return s; }
 int star() { int s = 0; 
#pragma omp parallel firstprivate(m) num_threads(2) reduction(+:s)
  { m = 9; s += m; } return s; }
 int red() { int v = 0; (void)v;
#pragma omp parallel for reduction(+: arr[:2]) num_threads(2)
  for (int i = 0; i < 4; ++i) { arr[0] += i; arr[1] += 1; }
#pragma omp taskgroup task_reduction(+: arr[2])
  { for (int i = 0; i < 3; ++i)
#pragma omp task in_reduction(+: arr[2])
    { auto L = [&] { arr[2] += 1; }; L(); } }
  return arr[0]*1000 + arr[1]*100 + arr[2]; }
 int lp() {
#pragma omp parallel for lastprivate(m) num_threads(2)
  for (int i = 0; i < 10; ++i) m = i;
  return m; }
};
template<class T> struct D : S { T q = 3; int go() { int s = 0;
#pragma omp parallel private(q) firstprivate(D::m) num_threads(2) reduction(+:s)
 { q = 2; this->m += 1; s += q + m;
#pragma omp task firstprivate(q) shared(s)
  {
#pragma omp atomic
   s += q; } 
#pragma omp taskwait
 } return s + q; } };
int main(){ S s; printf("%d ", s.tmpl(1)); printf("%ld ", s.tmpl(1L)); printf("%d ", s.generic()); printf("%d ", s.star()); printf("%d ", s.red()); printf("%d ", s.lp()); D<int> d; printf("%d\n", d.go()); }
