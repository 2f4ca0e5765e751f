/*
 * Inputs of the functions, the same on the device and on the processor: input n of a count is in the n-th of as many parts of an interval,
 * at a place that a hash function chooses.
 */
#ifndef INPUTS_H
#define INPUTS_H

#if !defined(__CUDA__)
#define __device__
#define __host__
#endif

struct inputs_domain {
  double low, high, from, to;
};

static inline __host__ __device__ unsigned long long inputs_hash(unsigned long long n) {
  n += 0x9e3779b97f4a7c15ull;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
  n = (n ^ n >> 27) * 0x94d049bb133111ebull;
  return n ^ n >> 31;
}

/* Numbers in ascending order as integers, and back. */
static inline __host__ __device__ long long inputs_order(double a) {
  long long bits;
  __builtin_memcpy(&bits, &a, sizeof bits);
  return bits < 0 ? (long long)(0x8000000000000000ull - (unsigned long long)bits) : bits;
}
static inline __host__ __device__ double inputs_number(long long order) {
  unsigned long long bits = order < 0 ? 0x8000000000000000ull - (unsigned long long)order : (unsigned long long)order;
  double a;
  __builtin_memcpy(&a, &bits, sizeof a);
  return a;
}

/* A place in part n of count parts of [0, width). */
static inline __host__ __device__ unsigned long long inputs_place(unsigned long long n, unsigned long long count, unsigned long long width) {
  unsigned long long part = width / count;
  return part == 0 ? inputs_hash(n) % (width + 1) : part * n + inputs_hash(n) % part;
}

/* Values with rules of their own: the first inputs are all pairs of them. */
#define INPUTS_SPECIALS 12
static inline __host__ __device__ double inputs_special(unsigned int n) {
  switch (n) {
  case 0: return 0.0;
  case 1: return -0.0;
  case 2: return 1.0;
  case 3: return -1.0;
  case 4: return __builtin_inf();
  case 5: return -__builtin_inf();
  case 6: return __builtin_nan("");
  case 7: return 0.5;
  case 8: return -2.0;
  case 9: return 3.0;
  case 10: return 2.0;
  default: return -1.5;
  }
}

/* Input n of count, a number of a domain; seed distinguishes the operands of a function. */
static inline __host__ __device__ double inputs_double(inputs_domain domain, unsigned int n, unsigned int count, unsigned int seed) {
  if (n < INPUTS_SPECIALS * INPUTS_SPECIALS) return inputs_special(seed == 0 ? n % INPUTS_SPECIALS : n / INPUTS_SPECIALS);
  unsigned long long index = n;
  if (seed != 0) index = inputs_hash((unsigned long long)seed << 32 | n) % count;
  unsigned int half = count / 2;
  if (index < half) {
    long long low = inputs_order(domain.low);
    unsigned long long width = (unsigned long long)inputs_order(domain.high) - (unsigned long long)low;
    return inputs_number((long long)((unsigned long long)low + inputs_place(index, half, width)));
  }
  double part = (double)(inputs_hash(index) >> 11) * 0x1p-53;
  /* Fused, so that every compiler rounds alike. */
  return __builtin_fma((double)(index - half) + part, (domain.to - domain.from) / (double)(count - half), domain.from);
}
#endif
