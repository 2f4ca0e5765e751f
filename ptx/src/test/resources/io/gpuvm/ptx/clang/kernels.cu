// Constructs of CUDA C for tests of the parser and the checker. clang compiles the file without a
// header: clang-19 -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_20 -g1 -S
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef unsigned int u32;
typedef int (*Function)(int);
struct Mixed { float a; double b; int c[5]; };

__constant__ float coefficients[4] = {1.f, 2.f, 3.5f, -1.f};
__device__ int counter = 5;
__device__ int *pointer = &counter;
extern __shared__ float dynamic[];
extern "C" __device__ int vprintf(const char *, void *);

__device__ inline u32 thread() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline u32 global_thread() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + thread();
}

__device__ __attribute__((noinline)) int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ __attribute__((noinline)) double combine(Mixed p, int i) {
  return p.a + p.b * p.c[i];
}

__device__ Function functions[2] = {factorial, factorial};

extern "C" __global__ void saxpy(float *x, const float *y, float a, int n) {
  int i = global_thread();
  if (i < n) x[i] = a * y[i] + x[i];
}

extern "C" __global__ void sum(int *result, const int *values, int n) {
  __shared__ int part[128];
  int total = 0;
  for (int i = global_thread(); i < n; i += 128) total += values[i];
  part[thread()] = total;
  __nvvm_bar_sync(0);
  for (int half = 64; half > 0; half >>= 1) {
    if (thread() < half) part[thread()] += part[thread() + half];
    __nvvm_bar_sync(0);
  }
  if (thread() == 0) *result = part[0];
}

extern "C" __global__ void call(int *out, int n) {
  Mixed p = {1.5f, 2.25, {1, 2, 3, 4, n}};
  u32 i = thread();
  out[i] = (int)(combine(p, i % 5) * 16) + functions[i & 1](i % 7) + counter + *pointer;
}

extern "C" __global__ void all(float *x, const float *__restrict__ y, int n, Mixed p) {
  __shared__ float s[64];
  u32 i = global_thread();
  s[thread() & 63] = y[i];
  dynamic[thread()] = 1;
  __nvvm_bar_sync(0);
  if (i < n) {
    x[i] = s[63 - (thread() & 63)] * coefficients[i & 3] + dynamic[0];
    x[i] += combine(p, i & 3);
  } else if (i & 1) {
    x[i] = (float)factorial(i) / __builtin_sqrtf(y[i]);
  }
  switch (i % 9) {
    case 0: x[i] += 1; break;
    case 1: x[i] *= 2; break;
    case 2: x[i] -= 3; break;
    case 3: x[i] = y[i + 1]; break;
    case 4: x[i] = factorial(3); break;
    case 5: x[0] = 5;
    case 6: x[1] = 6; break;
    default: x[3] = 3;
  }
  x[n] = functions[i & 1](7);
  int arguments[2] = {(int)i, n};
  vprintf("%d %d\n", arguments);
  __nvvm_atom_add_gen_i(&counter, 3);
  long long a = (long long)i * n;
  double d = y[i];
  x[5] = (float)(d / a);
  ((unsigned char *)x)[77] = (unsigned char)i;
  ((short *)x)[99] = (short)n;
  for (int j = 0; j < n; j++) x[j] = x[j] * d;
}
