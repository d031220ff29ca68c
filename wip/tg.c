#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdint.h>
static long sum; static omp_event_handle_t ev; static int has;
static void *out(void*a){ for(int i=0;i<3;++i){ while(!__atomic_load_n(&has,5)); has=0; omp_event_handle_t e=ev; __atomic_thread_fence(5); omp_fulfill_event(e);} return a;}
static void body(void*a){(void)a;
#pragma omp task
 { omp_event_handle_t e;
#pragma omp task detach(e)
  { ev=e; __atomic_store_n(&has,1,5); } } }
static void many(void*a){ long*p=a;(void)p; for(int i=0;i<20;++i){
#pragma omp task depend(inout: sum)
 { 
#pragma omp task
  __atomic_add_fetch(&sum,1,5); } } }
int main(){ pthread_t t; pthread_create(&t,0,out,0);
#pragma omp parallel num_threads(1)
 for(int i=0;i<3;++i) omp_taskgraph(1, i==2 ? omp_taskgraph_reset : 0, body, NULL, 0);
 pthread_join(t,0); puts("detach ok");
#pragma omp parallel num_threads(4)
 for(int i=0;i<200;++i) omp_taskgraph(i%3, i%7==0 ? omp_taskgraph_reset : 0, many, &sum, 0);
 printf("%ld %d\n", sum, 4*200*20); return sum!=4*200*20; }
