enum { receiving_room = 300 };
void expect_all(const int *partner, int partners, int (*inbox)[receiving_room]);
void dispatch(const int *values, int count, int to);
void take_all(int partners, int *counts);
void await_dispatched(void);
