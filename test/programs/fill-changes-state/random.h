#ifndef RANDOM_H
#define RANDOM_H
void random_seed(unsigned long long seed);
double random_next(void);
extern int random_drawn;
#endif
