/* A kernel for each function of functions.def, which writes the results for the inputs of inputs.h, from input `first` on. */
#include "inputs.h"

struct operands {
  inputs_domain x, y;
};

#define UNARY(name, type, low, high, from, to, bound, reference) \
  extern "C" __global__ void name##_results(type *results, operands domains, unsigned int first, unsigned int count) { \
    unsigned int n = first + blockIdx.x * blockDim.x + threadIdx.x; \
    if (n < count) results[n] = name((type)inputs_double(domains.x, n, count, 0)); \
  }
#define BINARY(name, type, low, high, from, to, y_low, y_high, y_from, y_to, bound, reference) \
  extern "C" __global__ void name##_results(type *results, operands domains, unsigned int first, unsigned int count) { \
    unsigned int n = first + blockIdx.x * blockDim.x + threadIdx.x; \
    if (n < count) results[n] = name((type)inputs_double(domains.x, n, count, 0), (type)inputs_double(domains.y, n, count, 1)); \
  }
#include "functions.def"

/* All numbers of a part of the floats: the function of number `first + n`, by its bits. */
#define EXHAUSTIVE(name) \
  extern "C" __global__ void name##_all(float *results, unsigned int first, unsigned int count) { \
    unsigned int n = blockIdx.x * blockDim.x + threadIdx.x; \
    if (n < count) results[n] = name(__uint_as_float(first + n)); \
  }
EXHAUSTIVE(expf)
EXHAUSTIVE(logf)
EXHAUSTIVE(sinf)
EXHAUSTIVE(cosf)
EXHAUSTIVE(atanf)
