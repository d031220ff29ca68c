#include <stdio.h>
#include <stdlib.h>
#define T(type,name) static int name(int n,int nt,int st,int ch){ type last=-1; long cnt=0; type lo=3; type hi=(type)(3+(type)n*st);\
 _Pragma("omp parallel num_threads(nt) reduction(+:cnt)") { _Pragma("omp for schedule(nonmonotonic:dynamic,ch) lastprivate(last)") for(type i=lo;i<hi;i+=st){ last=i; cnt++; if((i*7)%5==0) for(volatile int k=0;k<40;++k); } }\
 int bad= cnt!=n || (n && last!=(type)(hi-st)); if(bad) printf(#name " n%d nt%d st%d ch%d: cnt %ld last %ld\n",n,nt,st,ch,cnt,(long)last); return bad;}
T(int,i4) T(long,i8) T(unsigned,u4) T(unsigned long,u8)
int main(){ int bad=0; srand(7); for(int r=0;r<600 && bad<5;++r){ int n=rand()%80,nt=1+rand()%4,st=1+rand()%5,ch=1+rand()%6; bad+=i4(n,nt,st,ch)+i8(n,nt,st,ch)+u4(n,nt,st,ch)+u8(n,nt,st,ch);} printf("%d bad\n",bad); return bad!=0; }
