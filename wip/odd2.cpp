void body(long,long);
template<class T> void t(T n, T *a){
#pragma omp parallel for collapse(2)
 for (T i = 0; i < n; ++i) for (T j = i; j < n; ++j) body(i,j);
#pragma omp parallel for collapse(2)
 for (T *p = a; p < a+n; ++p) for (T *q = p; q < a+n; ++q) body(*p,*q);
}
template<int N> struct S { int m; template<class U> void f(U u){
#pragma omp parallel for collapse(3) firstprivate(u)
 for (int i=0;i<N;++i) for (int j=i;j<N+m;++j) for (U k=j;k<N;++k) body(j,k+m);
 auto L=[&](auto q){
#pragma omp parallel for simd collapse(2)
 for (int i=0;i<N;++i) for (int j=i;j<q;++j) body(i,j+m); };
 L(u); L((long)u); } };
void g(S<4>&s){ int a[4]; t(4,a); long b[4]; t(4l,b); s.f(3); s.f(5l); }
enum E { A, B };
void h(bool x){
 __int128 n=4;
#pragma omp parallel for collapse(2)
 for (int i=0;i<4;++i) for (__int128 j=i;j<n;++j) body(i,(long)j);
#pragma omp parallel for collapse(2)
 for (int i=0;i<4;++i) for (_BitInt(40) j=i;j<4;++j) body(i,(long)j);
#pragma omp parallel for collapse(2)
 for (int i=0;i<4;++i) for (char16_t j=i;j<4;++j) body(i,(long)j);
#pragma omp parallel for collapse(2)
 for (int i=0;i<4;++i) for (_BitInt(7) j=i;j<4;++j) body(i,(long)j);
}
