int main(void) {
  int Sum = 0;
#pragma acc parallel loop reduction(+ : Sum)
  for (int I = 0; I < 100; ++I)
    Sum += I;
  return Sum != 4950;
}
