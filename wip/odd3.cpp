// order of calls and directives: target teams, taskloop, loop, distribute
void body(long,long);
#pragma omp declare target
void tb(long,long);
#pragma omp end declare target
void f(int n){
#pragma omp target teams distribute parallel for simd collapse(2)
 for(int i=0;i<n;++i) for(int j=i;j<n;++j) tb(i,j);
#pragma omp teams distribute parallel for collapse(2) dist_schedule(static,3)
 for(int i=0;i<n;++i) for(int j=0;j<=i;++j) body(i,j);
#pragma omp parallel master taskloop simd collapse(2)
 for(int i=0;i<n;++i) for(int j=0;j<=i;++j) body(i,j);
#pragma omp teams loop collapse(2)
 for(int i=0;i<n;++i) for(int j=0;j<=i;++j) body(i,j);
#pragma omp parallel loop collapse(2)
 for(int i=0;i<n;++i) for(int j=0;j<=i;++j) body(i,j);
}
