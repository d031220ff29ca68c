#include <stdio.h>
int main(void){ int last=-1, d=-1; 
#pragma omp parallel for collapse(2) lastprivate(last) schedule(static,1) num_threads(3)
 for(int i=0;i<5;++i) for(int j=0;j<5-i;++j) last=i*100+j;
#pragma omp parallel for collapse(2) lastprivate(d) schedule(dynamic,1) num_threads(3)
 for(int i=0;i<5;++i) for(int j=0;j<5-i;++j) d=i*100+j;
 printf("static,1: %d dynamic,1: %d, sequential 400\n",last,d); return 0;}
