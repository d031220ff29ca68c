#include <stdio.h>
int main(void){ int n=5,i=-7,j=-7;
#pragma omp simd collapse(2)
 for(i=0;i<n;++i) for(j=i;j<n;++j) ;
 printf("simd from i: %d %d (5 5)\n",i,j);
#pragma omp simd collapse(2)
 for(i=0;i<n;++i) for(j=0;j<n-i;++j) ;
 printf("simd short last row: %d %d (5 1)\n",i,j);
#pragma omp simd collapse(2)
 for(i=n-1;i>=0;--i) for(j=i;j<n;++j) ;
 printf("simd down: %d %d (-1 5)\n",i,j);
 i=j=-7;
#pragma omp parallel for collapse(2) lastprivate(i,j)
 for(i=0;i<n;++i) for(j=i;j<n;++j) ;
 printf("for from i: %d %d (5 5)\n",i,j);
 i=j=-7;
#pragma omp parallel for collapse(2) lastprivate(i,j)
 for(i=0;i<n;++i) for(j=0;j<=i;++j) ;
 printf("for to i: %d %d (5 5)\n",i,j);
 i=j=-7;
#pragma omp parallel for collapse(2) lastprivate(i,j)
 for(i=0;i<n;++i) for(j=0;j<n-i;++j) ;
 printf("for short last row: %d %d (5 1)\n",i,j);
 return 0;}
