// What a program costs that does nothing but print.
#include <cstdio>

int main() { return std::puts("slabscope 0.1.0") < 0 ? 4 : 0; }
