/*
 * Functions __nv_* of the device that correspond to few instructions: arithmetic with a direction of rounding, conversions, integers, bits of
 * numbers, and the GPU's approximations. clang's headers declare them and call them.
 */
#ifndef GPUVM_LIBDEVICE_H
#define GPUVM_LIBDEVICE_H

/* Functions with external linkage, of which a module contains those that it calls, and a link one of each. */
#define GPUVM_NV extern "C" __device__ __inline__ __attribute__((always_inline))

/* Arithmetic with the four directions of rounding: to nearest, to zero, down, up. */
#define GPUVM_ROUNDED1(name, type, a_type, operation, suffix) \
  GPUVM_NV type __nv_##name##_rn(a_type a) { return __nvvm_##operation##_rn##suffix(a); } \
  GPUVM_NV type __nv_##name##_rz(a_type a) { return __nvvm_##operation##_rz##suffix(a); } \
  GPUVM_NV type __nv_##name##_rd(a_type a) { return __nvvm_##operation##_rm##suffix(a); } \
  GPUVM_NV type __nv_##name##_ru(a_type a) { return __nvvm_##operation##_rp##suffix(a); }
#define GPUVM_ROUNDED2(name, type, operation, suffix) \
  GPUVM_NV type __nv_##name##_rn(type a, type b) { return __nvvm_##operation##_rn##suffix(a, b); } \
  GPUVM_NV type __nv_##name##_rz(type a, type b) { return __nvvm_##operation##_rz##suffix(a, b); } \
  GPUVM_NV type __nv_##name##_rd(type a, type b) { return __nvvm_##operation##_rm##suffix(a, b); } \
  GPUVM_NV type __nv_##name##_ru(type a, type b) { return __nvvm_##operation##_rp##suffix(a, b); }
#define GPUVM_ROUNDED3(name, type, operation, suffix) \
  GPUVM_NV type __nv_##name##_rn(type a, type b, type c) { return __nvvm_##operation##_rn##suffix(a, b, c); } \
  GPUVM_NV type __nv_##name##_rz(type a, type b, type c) { return __nvvm_##operation##_rz##suffix(a, b, c); } \
  GPUVM_NV type __nv_##name##_rd(type a, type b, type c) { return __nvvm_##operation##_rm##suffix(a, b, c); } \
  GPUVM_NV type __nv_##name##_ru(type a, type b, type c) { return __nvvm_##operation##_rp##suffix(a, b, c); }
/* LLVM makes ordinary operations of its intrinsic functions for these, and merges additions and multiplications into one; here, it must not. */
#define GPUVM_NEAREST(function, type, instruction, letter) \
  GPUVM_FUNCTION type function(type a, type b) { \
    type result; \
    __asm__(instruction " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b)); \
    return result; \
  }
GPUVM_NEAREST(gpuvm_plus, double, "add.rn.f64", "d")
GPUVM_NEAREST(gpuvm_times, double, "mul.rn.f64", "d")
GPUVM_NEAREST(gpuvm_plus, float, "add.rn.f32", "f")
GPUVM_NEAREST(gpuvm_times, float, "mul.rn.f32", "f")
#undef GPUVM_NEAREST
#define GPUVM_DIRECTED2(name, type, nearest, operation, suffix) \
  GPUVM_NV type __nv_##name##_rn(type a, type b) { return nearest(a, b); } \
  GPUVM_NV type __nv_##name##_rz(type a, type b) { return __nvvm_##operation##_rz##suffix(a, b); } \
  GPUVM_NV type __nv_##name##_rd(type a, type b) { return __nvvm_##operation##_rm##suffix(a, b); } \
  GPUVM_NV type __nv_##name##_ru(type a, type b) { return __nvvm_##operation##_rp##suffix(a, b); }
#define GPUVM_DIFFERENCE(name, sum, type) \
  GPUVM_NV type __nv_##name##_rn(type a, type b) { return __nv_##sum##_rn(a, -b); } \
  GPUVM_NV type __nv_##name##_rz(type a, type b) { return __nv_##sum##_rz(a, -b); } \
  GPUVM_NV type __nv_##name##_rd(type a, type b) { return __nv_##sum##_rd(a, -b); } \
  GPUVM_NV type __nv_##name##_ru(type a, type b) { return __nv_##sum##_ru(a, -b); }

GPUVM_DIRECTED2(fadd, float, gpuvm_plus, add, _f)
GPUVM_DIRECTED2(dadd, double, gpuvm_plus, add, _d)
GPUVM_DIFFERENCE(fsub, fadd, float)
GPUVM_DIFFERENCE(dsub, dadd, double)
GPUVM_DIRECTED2(fmul, float, gpuvm_times, mul, _f)
GPUVM_DIRECTED2(dmul, double, gpuvm_times, mul, _d)
GPUVM_ROUNDED2(fdiv, float, div, _f)
GPUVM_ROUNDED2(ddiv, double, div, _d)
GPUVM_ROUNDED1(frcp, float, float, rcp, _f)
GPUVM_ROUNDED1(drcp, double, double, rcp, _d)
GPUVM_ROUNDED1(fsqrt, float, float, sqrt, _f)
GPUVM_ROUNDED1(dsqrt, double, double, sqrt, _d)
GPUVM_ROUNDED3(fmaf, float, fma, _f)
GPUVM_ROUNDED3(fmaf_ieee, float, fma, _f)
GPUVM_ROUNDED3(fma, double, fma, _d)

GPUVM_NV double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
GPUVM_NV float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
GPUVM_NV double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
GPUVM_NV float __nv_sqrtf(float a) {
#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
  return __nvvm_sqrt_approx_f(a);
#else
  return __nvvm_sqrt_rn_f(a);
#endif
}

/* Conversions. */
GPUVM_ROUNDED1(double2float, float, double, d2f, )
GPUVM_ROUNDED1(double2int, int, double, d2i, )
GPUVM_ROUNDED1(double2uint, unsigned int, double, d2ui, )
GPUVM_ROUNDED1(double2ll, long long, double, d2ll, )
GPUVM_ROUNDED1(double2ull, unsigned long long, double, d2ull, )
GPUVM_ROUNDED1(float2int, int, float, f2i, )
GPUVM_ROUNDED1(float2uint, unsigned int, float, f2ui, )
GPUVM_ROUNDED1(float2ll, long long, float, f2ll, )
GPUVM_ROUNDED1(float2ull, unsigned long long, float, f2ull, )
GPUVM_ROUNDED1(int2float, float, int, i2f, )
GPUVM_ROUNDED1(uint2float, float, unsigned int, ui2f, )
GPUVM_ROUNDED1(ll2float, float, long long, ll2f, )
GPUVM_ROUNDED1(ull2float, float, unsigned long long, ull2f, )
GPUVM_ROUNDED1(ll2double, double, long long, ll2d, )
GPUVM_ROUNDED1(ull2double, double, unsigned long long, ull2d, )
GPUVM_NV double __nv_int2double_rn(int a) { return a; }
GPUVM_NV double __nv_uint2double_rn(unsigned int a) { return a; }
GPUVM_NV unsigned short __nv_float2half_rn(float a) { return __nvvm_f2h_rn(a); }
GPUVM_NV float __nv_half2float(unsigned short a) {
  float wide;
  __asm__("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(a));
  return wide;
}

GPUVM_NV int __nv_float_as_int(float a) { return gpuvm_bits<int>(a); }
GPUVM_NV unsigned int __nv_float_as_uint(float a) { return gpuvm_bits<unsigned int>(a); }
GPUVM_NV float __nv_int_as_float(int a) { return gpuvm_bits<float>(a); }
GPUVM_NV float __nv_uint_as_float(unsigned int a) { return gpuvm_bits<float>(a); }
GPUVM_NV unsigned long long __nv_double_as_longlong(double a) { return gpuvm_bits<unsigned long long>(a); }
GPUVM_NV double __nv_longlong_as_double(long long a) { return gpuvm_bits<double>(a); }
GPUVM_NV int __nv_double2hiint(double a) { return (int)(gpuvm_bits<long long>(a) >> 32); }
GPUVM_NV int __nv_double2loint(double a) { return (int)gpuvm_bits<long long>(a); }
GPUVM_NV double __nv_hiloint2double(int high, int low) {
  return gpuvm_bits<double>((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* Integers. */
GPUVM_NV int __nv_abs(int a) { return __builtin_abs(a); }
GPUVM_NV long long __nv_llabs(long long a) { return __builtin_llabs(a); }
GPUVM_NV int __nv_min(int a, int b) { return b < a ? b : a; }
GPUVM_NV int __nv_max(int a, int b) { return a < b ? b : a; }
GPUVM_NV unsigned int __nv_umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
GPUVM_NV unsigned int __nv_umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
GPUVM_NV long long __nv_llmin(long long a, long long b) { return b < a ? b : a; }
GPUVM_NV long long __nv_llmax(long long a, long long b) { return a < b ? b : a; }
GPUVM_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
GPUVM_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
GPUVM_NV int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned int)a); }
GPUVM_NV long long __nv_brevll(long long a) { return (long long)__builtin_bitreverse64((unsigned long long)a); }
GPUVM_NV int __nv_byte_perm(int a, int b, int selector) { return (int)__nvvm_prmt((unsigned int)a, (unsigned int)b, (unsigned int)selector); }
GPUVM_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned int)a); }
GPUVM_NV int __nv_clzll(long long a) { return a == 0 ? 64 : __builtin_clzll((unsigned long long)a); }
GPUVM_NV int __nv_ffs(int a) { return a == 0 ? 0 : __builtin_ctz((unsigned int)a) + 1; }
GPUVM_NV int __nv_ffsll(long long a) { return a == 0 ? 0 : __builtin_ctzll((unsigned long long)a) + 1; }
GPUVM_NV int __nv_popc(unsigned int a) { return __builtin_popcount(a); }
GPUVM_NV int __nv_popcll(unsigned long long a) { return __builtin_popcountll(a); }
GPUVM_NV int __nv_mul24(int a, int b) { return (int)(((unsigned int)((int)((unsigned int)a << 8) >> 8)) * (unsigned int)((int)((unsigned int)b << 8) >> 8)); }
GPUVM_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) { return (a & 0xffffffu) * (b & 0xffffffu); }
GPUVM_NV int __nv_mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
GPUVM_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) { return (unsigned int)((unsigned long long)a * b >> 32); }
GPUVM_NV long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
GPUVM_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) { return __nvvm_mulhi_ull(a, b); }
GPUVM_NV int __nv_sad(int a, int b, int c) { return (int)((a < b ? (unsigned int)b - (unsigned int)a : (unsigned int)a - (unsigned int)b) + (unsigned int)c); }
GPUVM_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) { return (a < b ? b - a : a - b) + c; }
GPUVM_NV int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
GPUVM_NV int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
GPUVM_NV int __nv_uhadd(unsigned int a, unsigned int b) { return (int)(((unsigned long long)a + b) >> 1); }
GPUVM_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b) { return (unsigned int)(((unsigned long long)a + b + 1) >> 1); }

/* Parts and kinds of numbers. */
GPUVM_NV double __nv_fabs(double a) { return __builtin_fabs(a); }
GPUVM_NV float __nv_fabsf(float a) { return __builtin_fabsf(a); }
GPUVM_NV double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
GPUVM_NV float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
GPUVM_NV int __nv_signbitd(double a) { return gpuvm_bits<long long>(a) < 0; }
GPUVM_NV int __nv_signbitf(float a) { return gpuvm_bits<int>(a) < 0; }
#if __FINITE_MATH_ONLY__
/* With -ffast-math, clang assumes that comparisons of floats are those of finite numbers. */
GPUVM_FUNCTION unsigned int gpuvm_magnitude(float a) { return gpuvm_bits<unsigned int>(a) & 0x7fffffffu; }
GPUVM_FUNCTION unsigned long long gpuvm_magnitude(double a) { return gpuvm_bits<unsigned long long>(a) & 0x7fffffffffffffffull; }
GPUVM_NV int __nv_isfinited(double a) { return gpuvm_magnitude(a) < 0x7ff0000000000000ull; }
GPUVM_NV int __nv_finitef(float a) { return gpuvm_magnitude(a) < 0x7f800000u; }
GPUVM_NV int __nv_isinfd(double a) { return gpuvm_magnitude(a) == 0x7ff0000000000000ull; }
GPUVM_NV int __nv_isinff(float a) { return gpuvm_magnitude(a) == 0x7f800000u; }
GPUVM_NV int __nv_isnand(double a) { return gpuvm_magnitude(a) > 0x7ff0000000000000ull; }
GPUVM_NV int __nv_isnanf(float a) { return gpuvm_magnitude(a) > 0x7f800000u; }
#else
GPUVM_NV int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
GPUVM_NV int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
GPUVM_NV int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
GPUVM_NV int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
GPUVM_NV int __nv_isnand(double a) { return a != a; }
GPUVM_NV int __nv_isnanf(float a) { return a != a; }
#endif
GPUVM_NV double __nv_nan(const signed char *) { return __builtin_nan(""); }
GPUVM_NV float __nv_nanf(const signed char *) { return __builtin_nanf(""); }
GPUVM_NV float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
GPUVM_NV double __nv_fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
GPUVM_NV float __nv_fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
GPUVM_NV double __nv_fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
GPUVM_NV float __nv_fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
GPUVM_NV double __nv_fdim(double a, double b) { return a != a || b != b ? a + b : a > b ? a - b : 0.0; }
GPUVM_NV float __nv_fdimf(float a, float b) { return a != a || b != b ? a + b : a > b ? a - b : 0.0f; }

/* Whole numbers. */
GPUVM_NV double __nv_floor(double a) { return __builtin_floor(a); }
GPUVM_NV float __nv_floorf(float a) { return __builtin_floorf(a); }
GPUVM_NV double __nv_ceil(double a) { return __builtin_ceil(a); }
GPUVM_NV float __nv_ceilf(float a) { return __builtin_ceilf(a); }
GPUVM_NV double __nv_trunc(double a) { return __builtin_trunc(a); }
GPUVM_NV float __nv_truncf(float a) { return __builtin_truncf(a); }
GPUVM_NV double __nv_rint(double a) { return __builtin_rint(a); }
GPUVM_NV float __nv_rintf(float a) { return __builtin_rintf(a); }
GPUVM_NV double __nv_nearbyint(double a) { return __builtin_rint(a); }
GPUVM_NV float __nv_nearbyintf(float a) { return __builtin_rintf(a); }
/* The fraction is exact, so that ties are found exactly. */
GPUVM_NV double __nv_round(double a) {
  double whole = __builtin_trunc(a);
  return __builtin_copysign(__builtin_fabs(a - whole) >= 0.5 ? whole + __builtin_copysign(1.0, a) : whole, a);
}
GPUVM_NV float __nv_roundf(float a) {
  float whole = __builtin_truncf(a);
  return __builtin_copysignf(__builtin_fabsf(a - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, a) : whole, a);
}
GPUVM_NV long long __nv_llrint(double a) { return __nvvm_d2ll_rn(a); }
GPUVM_NV long long __nv_llrintf(float a) { return __nvvm_f2ll_rn(a); }
GPUVM_NV long long __nv_llround(double a) { return __nvvm_d2ll_rz(__nv_round(a)); }
GPUVM_NV long long __nv_llroundf(float a) { return __nvvm_f2ll_rz(__nv_roundf(a)); }

/* Approximations of the GPU's function unit. */
GPUVM_NV float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
GPUVM_NV float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
GPUVM_NV void __nv_fast_sincosf(float a, float *sine, float *cosine) {
  *sine = __nvvm_sin_approx_f(a);
  *cosine = __nvvm_cos_approx_f(a);
}
GPUVM_NV float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GPUVM_NV float __nv_fast_tanf(float a) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a)); }
GPUVM_NV float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
GPUVM_NV float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
GPUVM_NV float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f; }
GPUVM_NV float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
GPUVM_NV float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809f); }
GPUVM_NV float __nv_fast_powf(float a, float b) { return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a)); }
/* Approximate reciprocal of the upper half of a double. */
GPUVM_NV double __nv_rcp64h(double a) { return __nvvm_rcp_approx_ftz_d(a); }

#undef GPUVM_ROUNDED1
#undef GPUVM_ROUNDED2
#undef GPUVM_ROUNDED3
#undef GPUVM_DIRECTED2
#undef GPUVM_DIFFERENCE

#endif
