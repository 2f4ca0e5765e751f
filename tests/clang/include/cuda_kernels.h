/*
 * Words, types and functions of CUDA C that kernels use, for clang without NVIDIA's headers and libraries
 * (-x cuda -nocudainc -nocudalib -include cuda_kernels.h), written from NVIDIA's public documentation. Transcendental functions of
 * floats are the GPU's approximations, as with nvcc's -use_fast_math; those of doubles are accurate to about 1e-13.
 *
 * With KERNELS_ON_PROCESSOR, the same kernels are functions of a C++ library, which tests/rodinia/reference.cc runs.
 */
#ifndef CUDA_KERNELS_H
#define CUDA_KERNELS_H

#include <stddef.h>

/* nvcc includes these, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef KERNELS_ON_PROCESSOR
#define __global__ extern "C++" __attribute__((visibility("default")))
#define __device__
#define __host__
#define __shared__ static
#define __constant__ __attribute__((visibility("default")))
#define __launch_bounds__(...)
#define KERNELS_FUNCTION static inline
#else
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define KERNELS_FUNCTION static __device__ __inline__ __attribute__((always_inline))
#endif
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))

/* Vectors. */
#define KERNELS_VECTOR(type, name, align2, align4) \
  struct name##1 { type x; }; \
  struct align2 name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct align4 name##4 { type x, y, z, w; }; \
  KERNELS_BOTH name##1 make_##name##1(type x) { name##1 v = {x}; return v; } \
  KERNELS_BOTH name##2 make_##name##2(type x, type y) { name##2 v = {x, y}; return v; } \
  KERNELS_BOTH name##3 make_##name##3(type x, type y, type z) { name##3 v = {x, y, z}; return v; } \
  KERNELS_BOTH name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = {x, y, z, w}; return v; }
#define KERNELS_BOTH static __host__ __device__ __inline__
KERNELS_VECTOR(signed char, char, __align__(2), __align__(4))
KERNELS_VECTOR(unsigned char, uchar, __align__(2), __align__(4))
KERNELS_VECTOR(short, short, __align__(4), __align__(8))
KERNELS_VECTOR(unsigned short, ushort, __align__(4), __align__(8))
KERNELS_VECTOR(int, int, __align__(8), __align__(16))
KERNELS_VECTOR(unsigned int, uint, __align__(8), __align__(16))
KERNELS_VECTOR(long long, longlong, __align__(16), __align__(16))
KERNELS_VECTOR(unsigned long long, ulonglong, __align__(16), __align__(16))
KERNELS_VECTOR(float, float, __align__(8), __align__(16))
KERNELS_VECTOR(double, double, __align__(16), __align__(16))

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
};

/* Indices, barriers and conversions. */
#ifdef KERNELS_ON_PROCESSOR
extern "C" {
extern uint3 kernels_thread, kernels_block, kernels_block_size, kernels_grid_size;
void kernels_barrier(void);
}
#define threadIdx kernels_thread
#define blockIdx kernels_block
#define blockDim kernels_block_size
#define gridDim kernels_grid_size
#define __syncthreads() kernels_barrier()
/* The C library declares these names, but does not export them. */
#define __powf powf
#define __log2f log2f
#define __expf expf
#define __logf logf
#define __sinf sinf
#define __cosf cosf
static inline int __mul24(int a, int b) { return a * b; }
static inline unsigned int __umul24(unsigned int a, unsigned int b) { return a * b; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }
template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
#else
#define KERNELS_INDEX(name, register) \
  struct kernels_##name { \
    __declspec(property(get = get_x)) unsigned int x; \
    __declspec(property(get = get_y)) unsigned int y; \
    __declspec(property(get = get_z)) unsigned int z; \
    KERNELS_FUNCTION unsigned int get_x() { return __nvvm_read_ptx_sreg_##register##_x(); } \
    KERNELS_FUNCTION unsigned int get_y() { return __nvvm_read_ptx_sreg_##register##_y(); } \
    KERNELS_FUNCTION unsigned int get_z() { return __nvvm_read_ptx_sreg_##register##_z(); } \
    __device__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); } \
    __device__ operator uint3() const { return uint3{get_x(), get_y(), get_z()}; } \
  }; \
  extern const __device__ kernels_##name name;
KERNELS_INDEX(threadIdx, tid)
KERNELS_INDEX(blockIdx, ctaid)
KERNELS_INDEX(blockDim, ntid)
KERNELS_INDEX(gridDim, nctaid)
enum { warpSize = 32 };

#define __syncthreads() __nvvm_bar_sync(0)
KERNELS_FUNCTION int __syncthreads_or(int value) { return __nvvm_bar0_or(value); }
KERNELS_FUNCTION int __syncthreads_and(int value) { return __nvvm_bar0_and(value); }
KERNELS_FUNCTION int __syncthreads_count(int value) { return __nvvm_bar0_popc(value); }
KERNELS_FUNCTION void __threadfence() { __nvvm_membar_gl(); }
KERNELS_FUNCTION void __threadfence_block() { __nvvm_membar_cta(); }
KERNELS_FUNCTION void __threadfence_system() { __nvvm_membar_sys(); }
KERNELS_FUNCTION long clock() { return (long)__nvvm_read_ptx_sreg_clock(); }
KERNELS_FUNCTION long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

KERNELS_FUNCTION unsigned int __ballot(int value) {
  unsigned int lanes;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(lanes) : "r"(value));
  return lanes;
}
KERNELS_FUNCTION int __any(int value) { return __ballot(value) != 0; }
KERNELS_FUNCTION int __all(int value) { return __ballot(!value) == 0; }

KERNELS_FUNCTION int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
KERNELS_FUNCTION unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
KERNELS_FUNCTION int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
KERNELS_FUNCTION unsigned int __umulhi(unsigned int a, unsigned int b) { return (unsigned int)((unsigned long long)a * b >> 32); }
KERNELS_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
KERNELS_FUNCTION int __popc(unsigned int a) { return __builtin_popcount(a); }
KERNELS_FUNCTION int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
KERNELS_FUNCTION int __clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned int)a); }
KERNELS_FUNCTION int __clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
KERNELS_FUNCTION int __ffs(int a) { return __builtin_ffs(a); }
KERNELS_FUNCTION unsigned int __brev(unsigned int a) { return __builtin_bitreverse32(a); }
KERNELS_FUNCTION unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) { return __nvvm_prmt(a, b, selector); }
KERNELS_FUNCTION unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a < b ? b - a : a - b) + c; }

template <class To, class From> KERNELS_FUNCTION To kernels_bits(From from) {
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
KERNELS_FUNCTION int __float_as_int(float a) { return kernels_bits<int>(a); }
KERNELS_FUNCTION float __int_as_float(int a) { return kernels_bits<float>(a); }
KERNELS_FUNCTION long long __double_as_longlong(double a) { return kernels_bits<long long>(a); }
KERNELS_FUNCTION double __longlong_as_double(long long a) { return kernels_bits<double>(a); }
KERNELS_FUNCTION int __double2loint(double a) { return (int)kernels_bits<long long>(a); }
KERNELS_FUNCTION int __double2hiint(double a) { return (int)(kernels_bits<long long>(a) >> 32); }
KERNELS_FUNCTION double __hiloint2double(int high, int low) { return kernels_bits<double>((long long)high << 32 | (unsigned int)low); }
KERNELS_FUNCTION int __float2int_rn(float a) { return __nvvm_f2i_rn(a); }
KERNELS_FUNCTION int __float2int_rz(float a) { return (int)a; }
KERNELS_FUNCTION unsigned int __float2uint_rn(float a) { return __nvvm_f2ui_rn(a); }
KERNELS_FUNCTION unsigned int __float2uint_rz(float a) { return (unsigned int)a; }
KERNELS_FUNCTION float __int2float_rn(int a) { return (float)a; }
KERNELS_FUNCTION float __uint2float_rn(unsigned int a) { return (float)a; }

/* Atomic operations. */
#define KERNELS_ATOMIC(name, type, operation) \
  KERNELS_FUNCTION type name(type *place, type value) { return operation(place, value, __ATOMIC_RELAXED); }
#define KERNELS_ATOMICS(type) \
  KERNELS_ATOMIC(atomicAdd, type, __atomic_fetch_add) \
  KERNELS_ATOMIC(atomicExch, type, __atomic_exchange_n) \
  KERNELS_FUNCTION type atomicCAS(type *place, type expected, type value) { \
    __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return expected; \
  }
KERNELS_ATOMICS(int)
KERNELS_ATOMICS(unsigned int)
KERNELS_ATOMICS(unsigned long long)
KERNELS_ATOMIC(atomicAdd, float, __atomic_fetch_add)
#define KERNELS_WORD_ATOMICS(type) \
  KERNELS_ATOMIC(atomicSub, type, __atomic_fetch_sub) \
  KERNELS_ATOMIC(atomicMin, type, __atomic_fetch_min) \
  KERNELS_ATOMIC(atomicMax, type, __atomic_fetch_max) \
  KERNELS_ATOMIC(atomicAnd, type, __atomic_fetch_and) \
  KERNELS_ATOMIC(atomicOr, type, __atomic_fetch_or) \
  KERNELS_ATOMIC(atomicXor, type, __atomic_fetch_xor)
KERNELS_WORD_ATOMICS(int)
KERNELS_WORD_ATOMICS(unsigned int)
KERNELS_FUNCTION float atomicExch(float *place, float value) { return __int_as_float(atomicExch((int *)place, __float_as_int(value))); }
KERNELS_FUNCTION unsigned int atomicInc(unsigned int *place, unsigned int limit) { return __nvvm_atom_inc_gen_ui(place, limit); }
KERNELS_FUNCTION unsigned int atomicDec(unsigned int *place, unsigned int limit) { return __nvvm_atom_dec_gen_ui(place, limit); }

/* Mathematics of floats. */
#define KERNELS_MATH(name, value) KERNELS_FUNCTION float name(float a) { return value; }
KERNELS_MATH(__expf, __nvvm_ex2_approx_f(a * 1.4426950408889634f))
KERNELS_MATH(__log2f, __nvvm_lg2_approx_f(a))
KERNELS_MATH(__logf, __nvvm_lg2_approx_f(a) * 0.6931471805599453f)
KERNELS_MATH(__log10f, __nvvm_lg2_approx_f(a) * 0.30102999566398120f)
KERNELS_MATH(__sinf, __nvvm_sin_approx_f(a))
KERNELS_MATH(__cosf, __nvvm_cos_approx_f(a))
KERNELS_MATH(__frcp_rn, __nvvm_rcp_rn_f(a))
KERNELS_MATH(__fsqrt_rn, __nvvm_sqrt_rn_f(a))
KERNELS_FUNCTION float __powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }
KERNELS_FUNCTION float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
KERNELS_FUNCTION float __fmul_rn(float a, float b) { return __nvvm_mul_rn_f(a, b); }
KERNELS_FUNCTION float __fadd_rn(float a, float b) { return __nvvm_add_rn_f(a, b); }
KERNELS_FUNCTION float __saturatef(float a) { return __nvvm_saturate_f(a); }
KERNELS_MATH(expf, __expf(a))
KERNELS_MATH(exp2f, __nvvm_ex2_approx_f(a))
KERNELS_MATH(logf, __logf(a))
KERNELS_MATH(log2f, __log2f(a))
KERNELS_MATH(log10f, __log10f(a))
KERNELS_MATH(sinf, __sinf(a))
KERNELS_MATH(cosf, __cosf(a))
KERNELS_MATH(tanf, __nvvm_div_approx_f(__sinf(a), __cosf(a)))
KERNELS_MATH(sqrtf, __nvvm_sqrt_rn_f(a))
KERNELS_MATH(rsqrtf, __nvvm_rsqrt_approx_f(a))
KERNELS_MATH(fabsf, __builtin_fabsf(a))
KERNELS_MATH(floorf, __builtin_floorf(a))
KERNELS_MATH(ceilf, __builtin_ceilf(a))
KERNELS_MATH(truncf, __builtin_truncf(a))
KERNELS_MATH(rintf, __builtin_rintf(a))
KERNELS_MATH(roundf, __builtin_copysignf(__builtin_truncf(__builtin_fabsf(a) + 0.5f), a))
KERNELS_FUNCTION float powf(float a, float b) { return __powf(a, b); }
KERNELS_FUNCTION float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
KERNELS_FUNCTION float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
KERNELS_FUNCTION float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
KERNELS_FUNCTION float fmodf(float a, float b) { return a - b * __builtin_truncf(a / b); }

/* Mathematics of doubles: reductions of the argument, and series. */
KERNELS_FUNCTION double sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
KERNELS_FUNCTION double fabs(double a) { return __builtin_fabs(a); }
KERNELS_FUNCTION double floor(double a) { return __builtin_floor(a); }
KERNELS_FUNCTION double ceil(double a) { return __builtin_ceil(a); }
KERNELS_FUNCTION double trunc(double a) { return __builtin_trunc(a); }
KERNELS_FUNCTION double rint(double a) { return __builtin_rint(a); }
KERNELS_FUNCTION double round(double a) { return __builtin_copysign(__builtin_trunc(__builtin_fabs(a) + 0.5), a); }
KERNELS_FUNCTION double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
KERNELS_FUNCTION double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
KERNELS_FUNCTION double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
KERNELS_FUNCTION double fmod(double a, double b) { return a - b * __builtin_trunc(a / b); }
static __device__ __noinline__ double exp(double a) {
  double n = __builtin_rint(a * 1.4426950408889634);
  if (!(n > -1074 && n < 1025)) return a != a ? a : n < 0 ? 0 : 1e308 * 10;
  double r = __builtin_fma(n, -1.9082149292705877e-10, __builtin_fma(n, -0.69314718036912382, a));
  double sum = 1;
  for (int i = 13; i > 0; i--) sum = __builtin_fma(sum, r / i, 1);
  int first = (int)n / 2;
  int second = (int)n - first;
  return sum * kernels_bits<double>((long long)(first + 1023) << 52) * kernels_bits<double>((long long)(second + 1023) << 52);
}
static __device__ __noinline__ double log(double a) {
  if (!(a > 0)) return a == 0 ? -1e308 * 10 : 0 / (a * 0);
  long long bits = kernels_bits<long long>(a);
  int exponent = (int)(bits >> 52) - 1023;
  double mantissa = kernels_bits<double>((bits & 0xfffffffffffffll) | 0x3ff0000000000000ll);
  if (mantissa > 1.4142135623730951) {
    mantissa *= 0.5;
    exponent++;
  }
  double t = (mantissa - 1) / (mantissa + 1);
  double square = t * t;
  double sum = 0;
  for (int i = 21; i > 0; i -= 2) sum = __builtin_fma(sum, square, 1.0 / i);
  return exponent * 0.69314718055994531 + 2 * t * sum;
}
static __device__ __noinline__ double kernels_sine(double a, int quarters) {
  double n = __builtin_rint(a * 0.63661977236758134);
  double r = __builtin_fma(n, -6.1232339957367660e-17, __builtin_fma(n, -1.5707963267948966, a));
  int quarter = ((int)(long long)n + quarters) & 3;
  double square = r * r;
  double sum = 1;
  int first = quarter & 1 ? 20 : 21;
  for (int i = first; i > 1; i -= 2) sum = __builtin_fma(sum, -square / (i * (i - 1)), 1);
  double value = quarter & 1 ? sum : r * sum;
  return quarter & 2 ? -value : value;
}
KERNELS_FUNCTION double sin(double a) { return kernels_sine(a, 0); }
KERNELS_FUNCTION double cos(double a) { return kernels_sine(a, 1); }
KERNELS_FUNCTION double tan(double a) { return kernels_sine(a, 0) / kernels_sine(a, 1); }
KERNELS_FUNCTION double log2(double a) { return log(a) * 1.4426950408889634; }
KERNELS_FUNCTION double log10(double a) { return log(a) * 0.43429448190325182; }
KERNELS_FUNCTION double pow(double a, double b) {
  double power = exp(b * log(__builtin_fabs(a)));
  return a < 0 && ((long long)b & 1) ? -power : power;
}
static __device__ __noinline__ double atan(double a) {
  double t = __builtin_fabs(a);
  bool inverse = t > 1;
  if (inverse) t = 1 / t;
  bool shifted = t > 0.41421356237309503;
  if (shifted) t = (t - 1) / (t + 1);
  double square = t * t;
  double sum = 0;
  for (int i = 33; i > 0; i -= 2) sum = 1.0 / i - sum * square;
  double value = t * sum + (shifted ? 0.78539816339744828 : 0);
  return __builtin_copysign(inverse ? 1.5707963267948966 - value : value, a);
}

/* Functions of C++ that choose the type. */
KERNELS_MATH(atanf, (float)atan((double)a))
#define KERNELS_OVERLOAD(name) KERNELS_FUNCTION float name(float a) { return name##f(a); }
KERNELS_OVERLOAD(exp)
KERNELS_OVERLOAD(log)
KERNELS_OVERLOAD(log2)
KERNELS_OVERLOAD(log10)
KERNELS_OVERLOAD(sin)
KERNELS_OVERLOAD(cos)
KERNELS_OVERLOAD(tan)
KERNELS_OVERLOAD(atan)
KERNELS_OVERLOAD(sqrt)
KERNELS_OVERLOAD(floor)
KERNELS_OVERLOAD(ceil)
KERNELS_OVERLOAD(round)
KERNELS_FUNCTION float fabs(float a) { return __builtin_fabsf(a); }
KERNELS_FUNCTION float pow(float a, float b) { return __powf(a, b); }
KERNELS_FUNCTION float pow(float a, int b) { return __powf(a, (float)b); }
KERNELS_FUNCTION double pow(double a, int b) { return pow(a, (double)b); }
KERNELS_FUNCTION float fmod(float a, float b) { return fmodf(a, b); }
#define KERNELS_WHOLE(name) \
  KERNELS_FUNCTION double name(int a) { return name((double)a); } \
  KERNELS_FUNCTION double name(unsigned int a) { return name((double)a); }
KERNELS_WHOLE(exp)
KERNELS_WHOLE(log)
KERNELS_WHOLE(log2)
KERNELS_WHOLE(sin)
KERNELS_WHOLE(cos)
KERNELS_WHOLE(sqrt)
KERNELS_WHOLE(floor)
KERNELS_WHOLE(ceil)
KERNELS_FUNCTION int abs(int a) { return a < 0 ? -a : a; }
KERNELS_FUNCTION long abs(long a) { return a < 0 ? -a : a; }
KERNELS_FUNCTION float abs(float a) { return __builtin_fabsf(a); }
KERNELS_FUNCTION double abs(double a) { return __builtin_fabs(a); }
#define KERNELS_ORDER(type) \
  KERNELS_BOTH type min(type a, type b) { return b < a ? b : a; } \
  KERNELS_BOTH type max(type a, type b) { return a < b ? b : a; }
KERNELS_ORDER(int)
KERNELS_ORDER(unsigned int)
KERNELS_ORDER(long)
KERNELS_ORDER(unsigned long)
KERNELS_ORDER(long long)
KERNELS_ORDER(unsigned long long)
KERNELS_FUNCTION float min(float a, float b) { return fminf(a, b); }
KERNELS_FUNCTION float max(float a, float b) { return fmaxf(a, b); }
KERNELS_FUNCTION double min(double a, double b) { return fmin(a, b); }
KERNELS_FUNCTION double max(double a, double b) { return fmax(a, b); }
KERNELS_FUNCTION unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
KERNELS_FUNCTION unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
KERNELS_FUNCTION unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
KERNELS_FUNCTION unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }

#include "cuda_runtime_api.h"
#endif
#endif
