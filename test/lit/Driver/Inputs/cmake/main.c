int count(void);

int main(void) { return count() == 10 ? 0 : 1; }
