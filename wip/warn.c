void body(long,long);
void f(int n, unsigned m, long l, short sh, int st, long lst) {
#pragma omp parallel for collapse(2)
 for (int i = 0; i < n; ++i) for (int j = 0; j < i; j += st) body(i,j);
#pragma omp parallel for collapse(2)
 for (int i = 0; i < n; ++i) for (long j = i; j < l; j += 2) body(i,j);
#pragma omp parallel for collapse(2)
 for (unsigned i = 0; i < m; ++i) for (unsigned j = i; j != m; ++j) body(i,(long)j);
#pragma omp parallel for collapse(3)
 for (int i = 0; i < n; ++i) for (int j = i; j < n; ++j) for (long k = j; k <= n; k += lst) body(j,k);
#pragma omp parallel for collapse(2)
 for (short i = 0; i < 10; ++i) for (short j = i; j < 20; ++j) body(i,j);
#pragma omp parallel for collapse(3)
 for (unsigned i = 0; i < m; ++i) for (unsigned j = i; j < m; ++j) for (unsigned k = j; k > 0; --k) body((long)j,(long)k);
#pragma omp parallel for collapse(2)
 for (int i = 0; i < n; ++i) for (unsigned char j = 0; j < 10 + i; ++j) body(i,j);
}
