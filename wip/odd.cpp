#include <vector>
void body(long,long);
// outer an iterator, inner depends on it
void it(std::vector<int> &v){
#pragma omp parallel for collapse(2)
 for (auto i = v.begin(); i < v.end(); ++i) for (auto j = i; j < v.end(); ++j) body(*i,*j);
}
