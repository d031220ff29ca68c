// finals of simd collapse over triangles; values after the loop as sequential
#include <stdio.h>
#include <vector>
static int bad;
#define CK(name,a,b,c,d) do{ if((a)!=(c)||(b)!=(d)){bad++;printf("%s: i=%ld j=%ld, sequential %ld %ld\n",name,(long)(a),(long)(b),(long)(c),(long)(d));} }while(0)
int main(){
 int n=5; long cnt=0, seq=0;
 {int i,j,si,sj;
 for(si=0;si<n;++si) for(sj=0;sj<si+1;++sj) seq++;
 #pragma omp simd collapse(2) reduction(+:cnt)
 for(i=0;i<n;++i) for(j=0;j<i+1;++j) cnt++;
 CK("simd up",i,j,si,sj); if(cnt!=seq) printf("count\n");}
 {int i,j,si,sj;
 for(si=0;si<n;++si) for(sj=si;sj<n;++sj) ;
 #pragma omp simd collapse(2)
 for(i=0;i<n;++i) for(j=i;j<n;++j) cnt++;
 CK("simd from i",i,j,si,sj);}
 {int i=-7,j=-7,si=-7,sj=-7;
 #pragma omp parallel for simd collapse(2) lastprivate(i,j)
 for(i=0;i<n;++i) for(j=i;j<n;++j) ;
 for(si=0;si<n;++si) for(sj=si;sj<n;++sj) ;
 CK("for simd lastprivate",i,j,si,sj);}
 {int i=-7,j=-7,si=-7,sj=-7;
 #pragma omp parallel for collapse(2) lastprivate(i,j)
 for(i=0;i<n;++i) for(j=0;j<=i;++j) ;
 for(si=0;si<n;++si) for(sj=0;sj<=si;++sj) ;
 CK("for lastprivate",i,j,si,sj);}
 {long last=-1,slast=-1;
 #pragma omp parallel for collapse(2) lastprivate(last)
 for(int i=0;i<n;++i) for(int j=0;j<n-i;++j) last=i*100+j;
 for(int i=0;i<n;++i) for(int j=0;j<n-i;++j) slast=i*100+j;
 CK("for lastprivate var, short last row",last,0,slast,0);}
 {int a[64]; int *p; long s=0,t=0;
 for(int i=0;i<64;++i)a[i]=i;
 #pragma omp parallel for collapse(2) reduction(+:s)
 for(int i=0;i<20;++i) for(int *p=a+i;p<a+2*i+3;++p) s+=*p;
 for(int i=0;i<20;++i) for(int *p=a+i;p<a+2*i+3;++p) t+=*p;
 CK("pointer",s,0,t,0);
 s=t=0; std::vector<int> v(a,a+64);
 #pragma omp parallel for collapse(2) reduction(+:s)
 for(int i=0;i<20;++i) for(auto p=v.begin()+i;p<v.begin()+2*i+3;++p) s+=*p;
 for(int i=0;i<20;++i) for(auto p=v.begin()+i;p<v.begin()+2*i+3;++p) t+=*p;
 CK("iterator",s,0,t,0);
 s=t=0;
 #pragma omp parallel for collapse(2) reduction(+:s)
 for(int i=19;i>=0;--i) for(int *p=a+2*i+3;p!=a+i;--p) s+=*p;
 for(int i=19;i>=0;--i) for(int *p=a+2*i+3;p!=a+i;--p) t+=*p;
 CK("pointer ne down",s,0,t,0);
 }
 printf("%d bad\n",bad); return bad!=0; }
