/*
 * Functions __nv_* of the device for mathematics: range reduction, polynomials of gpuvm_polynomials.h, and sums of two doubles where one would lose
 * bits. Functions of floats calculate in doubles, so that few operations give nearly correctly rounded results.
 */
#ifndef GPUVM_MATH_H
#define GPUVM_MATH_H

#include "gpuvm_polynomials.h"

/* Large functions, which a module contains once. */
#define GPUVM_NV_LARGE extern "C" __device__ __inline__ __attribute__((noinline))
#define GPUVM_LARGE static __inline__ __device__ __attribute__((noinline, unused))

#define GPUVM_INF __builtin_inf()
#define GPUVM_QNAN __builtin_nan("")

/* A number as the sum of two doubles, of which the second is at most half a unit in the last place of the first. */
struct gpuvm_pair {
  double high, low;
};

/* Sum of two numbers of which the first is larger or 0. */
GPUVM_FUNCTION gpuvm_pair gpuvm_fast_sum(double a, double b) {
  gpuvm_pair sum;
  sum.high = gpuvm_plus(a, b);
  sum.low = gpuvm_plus(b, -gpuvm_plus(sum.high, -a));
  return sum;
}
GPUVM_FUNCTION gpuvm_pair gpuvm_sum(double a, double b) {
  gpuvm_pair sum;
  sum.high = gpuvm_plus(a, b);
  double part = gpuvm_plus(sum.high, -a);
  sum.low = gpuvm_plus(gpuvm_plus(a, -gpuvm_plus(sum.high, -part)), gpuvm_plus(b, -part));
  return sum;
}
GPUVM_FUNCTION gpuvm_pair gpuvm_product(double a, double b) {
  gpuvm_pair product;
  product.high = gpuvm_times(a, b);
  product.low = __builtin_fma(a, b, -product.high);
  return product;
}
GPUVM_FUNCTION gpuvm_pair gpuvm_add(gpuvm_pair a, gpuvm_pair b) {
  gpuvm_pair sum = gpuvm_sum(a.high, b.high);
  return gpuvm_fast_sum(sum.high, sum.low + (a.low + b.low));
}
GPUVM_FUNCTION gpuvm_pair gpuvm_multiply(gpuvm_pair a, gpuvm_pair b) {
  gpuvm_pair product = gpuvm_product(a.high, b.high);
  return gpuvm_fast_sum(product.high, product.low + __builtin_fma(a.high, b.low, a.low * b.high));
}
GPUVM_FUNCTION gpuvm_pair gpuvm_of(double high, double low) {
  gpuvm_pair pair = {high, low};
  return pair;
}

/* Exponents. */
GPUVM_FUNCTION int gpuvm_exponent(double a) { return (int)(gpuvm_bits<unsigned long long>(a) >> 52 & 0x7ff); }
GPUVM_FUNCTION double gpuvm_power_of_2(int n) { return gpuvm_bits<double>((unsigned long long)(unsigned int)(n + 1023) << 52); }
/* a * 2^n for n from -2100 to 2100; rounds once if a is at least 2^-969 or n is positive. */
GPUVM_FUNCTION double gpuvm_scale(double a, int n) {
  if (n < -1000) {
    a *= gpuvm_power_of_2(-969);
    n += 969;
    if (n < -1000) {
      a *= gpuvm_power_of_2(-969);
      n += 969;
    }
  } else if (n > 1000) {
    a *= gpuvm_power_of_2(1000);
    n -= 1000;
    if (n > 1000) {
      a *= gpuvm_power_of_2(1000);
      n -= 1000;
    }
  }
  return a * gpuvm_power_of_2(n < -1022 ? -1022 : n);
}

GPUVM_NV double __nv_ldexp(double a, int n) {
  if (a == 0 || !(__builtin_fabs(a) < GPUVM_INF)) return a + a;
  /* The fraction has an exponent of 0, so that the last multiplication alone rounds. */
  int exponent = gpuvm_exponent(a);
  int shift = 0;
  if (exponent == 0) {
    a *= 0x1p54;
    shift = 54;
    exponent = gpuvm_exponent(a);
  }
  long long total = (long long)exponent - 1023 - shift + n;
  double fraction = gpuvm_bits<double>((gpuvm_bits<unsigned long long>(a) & 0x800fffffffffffffull) | 0x3ff0000000000000ull);
  if (total > 1023) return fraction * 0x1p1023 * 2.0;
  if (total < -1080) return fraction * 0x1p-1022 * 0x1p-1022;
  if (total >= -1022) return fraction * gpuvm_power_of_2((int)total);
  return fraction * 0x1p-1000 * gpuvm_power_of_2((int)total + 1000);
}
GPUVM_NV float __nv_ldexpf(float a, int n) {
  int limited = n > 1000 ? 1000 : n < -1000 ? -1000 : n;
  return (float)((double)a * gpuvm_power_of_2(limited));
}
GPUVM_NV double __nv_scalbn(double a, int n) { return __nv_ldexp(a, n); }
GPUVM_NV float __nv_scalbnf(float a, int n) { return __nv_ldexpf(a, n); }
GPUVM_NV double __nv_frexp(double a, int *exponent) {
  *exponent = 0;
  if (a == 0 || !(__builtin_fabs(a) < GPUVM_INF)) return a + a;
  int shift = 0;
  if (gpuvm_exponent(a) == 0) {
    a *= 0x1p54;
    shift = 54;
  }
  *exponent = gpuvm_exponent(a) - 1022 - shift;
  return gpuvm_bits<double>((gpuvm_bits<unsigned long long>(a) & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
GPUVM_NV float __nv_frexpf(float a, int *exponent) { return (float)__nv_frexp((double)a, exponent); }
GPUVM_NV int __nv_ilogb(double a) {
  if (a == 0) return (int)0x80000000;
  if (a != a) return (int)0x80000000;
  if (__builtin_fabs(a) == GPUVM_INF) return 0x7fffffff;
  int exponent;
  __nv_frexp(a, &exponent);
  return exponent - 1;
}
GPUVM_NV int __nv_ilogbf(float a) { return __nv_ilogb((double)a); }
GPUVM_NV double __nv_logb(double a) {
  if (a == 0) return -GPUVM_INF;
  if (!(__builtin_fabs(a) < GPUVM_INF)) return a * a;
  return __nv_ilogb(a);
}
GPUVM_NV float __nv_logbf(float a) { return (float)__nv_logb((double)a); }
GPUVM_NV double __nv_modf(double a, double *whole) {
  *whole = __builtin_trunc(a);
  return __builtin_copysign(__builtin_fabs(a) == GPUVM_INF ? 0.0 : a - *whole, a);
}
GPUVM_NV float __nv_modff(float a, float *whole) {
  *whole = __builtin_truncf(a);
  return __builtin_copysignf(__builtin_fabsf(a) == __builtin_inff() ? 0.0f : a - *whole, a);
}
GPUVM_NV double __nv_nextafter(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return __builtin_copysign(4.9406564584124654e-324, b);
  long long bits = gpuvm_bits<long long>(a);
  return gpuvm_bits<double>((a < b) == (a > 0) ? bits + 1 : bits - 1);
}
GPUVM_NV float __nv_nextafterf(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0) return __builtin_copysignf(1.40129846e-45f, b);
  int bits = gpuvm_bits<int>(a);
  return gpuvm_bits<float>((a < b) == (a > 0) ? bits + 1 : bits - 1);
}

/* Remainders: exact divisions of the numbers' fractions, bits of the quotient at a time. */
struct gpuvm_division {
  double remainder;
  /* The last bits of the quotient, without sign. */
  unsigned int quotient;
};
GPUVM_LARGE gpuvm_division gpuvm_divide(double a, double b) {
  gpuvm_division result;
  int exponent_a;
  int exponent_b;
  double fraction_a = __nv_frexp(__builtin_fabs(a), &exponent_a);
  double fraction_b = __nv_frexp(__builtin_fabs(b), &exponent_b);
  result.remainder = __builtin_fabs(a);
  result.quotient = 0;
  int shift = exponent_a - exponent_b;
  if (shift < 0) return result;
  unsigned long long dividend = (unsigned long long)(fraction_a * 0x1p53);
  unsigned long long divisor = (unsigned long long)(fraction_b * 0x1p53);
  unsigned long long quotient = dividend / divisor;
  dividend -= quotient * divisor;
  while (shift > 0) {
    int bits = shift < 11 ? shift : 11;
    dividend <<= bits;
    unsigned long long part = dividend / divisor;
    dividend -= part * divisor;
    quotient = quotient << bits | part;
    shift -= bits;
  }
  result.quotient = (unsigned int)quotient;
  result.remainder = __nv_ldexp((double)dividend, exponent_b - 53);
  return result;
}
GPUVM_NV double __nv_fmod(double a, double b) {
  if (b == 0 || a != a || b != b || __builtin_fabs(a) == GPUVM_INF) return GPUVM_QNAN;
  if (__builtin_fabs(b) == GPUVM_INF) return a;
  return __builtin_copysign(gpuvm_divide(a, b).remainder, a);
}
GPUVM_NV float __nv_fmodf(float a, float b) {
  if (b == 0 || a != a || b != b || __builtin_fabsf(a) == __builtin_inff()) return __builtin_nanf("");
  float x = __builtin_fabsf(a);
  float y = __builtin_fabsf(b);
  if (x < y) return a;
  /* A quotient below 2^29 is exact enough in doubles. */
  double quotient = (double)x / y;
  if (quotient < 0x1p28) {
    double remainder = __builtin_fma(-__builtin_trunc(quotient), (double)y, (double)x);
    if (remainder < 0) remainder += y;
    return __builtin_copysignf((float)remainder, a);
  }
  return (float)__nv_fmod((double)a, (double)b);
}
GPUVM_NV double __nv_remquo(double a, double b, int *quotient) {
  *quotient = 0;
  if (b == 0 || a != a || b != b || __builtin_fabs(a) == GPUVM_INF) return GPUVM_QNAN;
  if (__builtin_fabs(b) == GPUVM_INF) return a;
  gpuvm_division division = gpuvm_divide(a, b);
  double divisor = __builtin_fabs(b);
  /* Compares the remainder with half of the divisor, without rounding. */
  double rest = divisor - division.remainder;
  if (division.remainder > rest || (division.remainder == rest && (division.quotient & 1))) {
    division.remainder = -rest;
    division.quotient++;
  }
  int low = (int)(division.quotient & 0x7fffffffu);
  *quotient = (a < 0) == (b < 0) ? low : -low;
  double remainder = a < 0 ? -division.remainder : division.remainder;
  return remainder == 0 ? __builtin_copysign(0.0, a) : remainder;
}
GPUVM_NV float __nv_remquof(float a, float b, int *quotient) { return (float)__nv_remquo((double)a, (double)b, quotient); }
GPUVM_NV double __nv_remainder(double a, double b) {
  int quotient;
  return __nv_remquo(a, b, &quotient);
}
GPUVM_NV float __nv_remainderf(float a, float b) { return (float)__nv_remainder((double)a, (double)b); }

/* Roots. */
GPUVM_NV double __nv_rsqrt(double a) {
  if (!(a > 0) || a == GPUVM_INF) return a == 0 ? 1.0 / a : a == GPUVM_INF ? 0.0 : GPUVM_QNAN;
  int shift = 0;
  if (a < 0x1p-1000) {
    a *= 0x1p100;
    shift = 50;
  } else if (a > 0x1p1000) {
    a *= 0x1p-100;
    shift = -50;
  }
  double y = 1.0 / __nvvm_sqrt_rn_d(a);
  gpuvm_pair square = gpuvm_product(y, y);
  /* 1 - a y^2, the relative error of y twice. */
  double error = __builtin_fma(-a, square.high, 1.0) - a * square.low;
  return __builtin_fma(y * 0.5, error, y) * gpuvm_power_of_2(shift);
}
GPUVM_NV float __nv_rsqrtf(float a) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)a)); }
GPUVM_NV float __nv_frsqrt_rn(float a) { return __nv_rsqrtf(a); }

/* Root of a number from 1 to 8 that is no power of 8, with an error of 2^-60: an estimate in floats, and two steps of Newton's method. */
GPUVM_FUNCTION gpuvm_pair gpuvm_cbrt(double a) {
  double y = (double)__nvvm_ex2_approx_f(__nvvm_lg2_approx_f((float)a) * 0.333333333f);
  y = y - (y - a / (y * y)) * GPUVM_THIRD_HIGH;
  gpuvm_pair square = gpuvm_product(y, y);
  gpuvm_pair cube = gpuvm_product(square.high, y);
  double difference = (a - cube.high) - (cube.low + square.low * y);
  return gpuvm_fast_sum(y, difference / (3.0 * square.high));
}
/* a = fraction * 8^exponent, the fraction from 1 to 8. */
GPUVM_FUNCTION double gpuvm_fraction_of_8(double a, int *exponent) {
  int binary;
  double fraction = __nv_frexp(a, &binary);
  binary -= 1;
  int third = (binary + 3000) / 3 - 1000;
  *exponent = third;
  return fraction * gpuvm_power_of_2(binary - 3 * third + 1);
}
GPUVM_NV double __nv_cbrt(double a) {
  if (a == 0 || !(__builtin_fabs(a) < GPUVM_INF)) return a + a;
  int exponent;
  gpuvm_pair root = gpuvm_cbrt(gpuvm_fraction_of_8(__builtin_fabs(a), &exponent));
  return __builtin_copysign((root.high + root.low) * gpuvm_power_of_2(exponent), a);
}
GPUVM_NV float __nv_cbrtf(float a) { return (float)__nv_cbrt((double)a); }
GPUVM_NV double __nv_rcbrt(double a) {
  if (a == 0 || !(__builtin_fabs(a) < GPUVM_INF)) return a == 0 ? 1.0 / a : a != a ? a : __builtin_copysign(0.0, a);
  int exponent;
  gpuvm_pair root = gpuvm_cbrt(gpuvm_fraction_of_8(__builtin_fabs(a), &exponent));
  double y = 1.0 / root.high;
  double error = __builtin_fma(-root.high, y, 1.0) - root.low * y;
  return __builtin_copysign(__builtin_fma(y, error, y) * gpuvm_power_of_2(-exponent), a);
}
GPUVM_NV float __nv_rcbrtf(float a) { return (float)__nv_rcbrt((double)a); }

/* Root of a sum of squares, and its reciprocal. The largest number, scaled, is from 1 to 2, so that squares neither overflow nor vanish. */
GPUVM_FUNCTION double gpuvm_norm(int count, const double *numbers, bool reciprocal) {
  double largest = 0;
  bool nan = false;
  for (int i = 0; i < count; i++) {
    double size = __builtin_fabs(numbers[i]);
    if (size > largest) largest = size;
    nan |= size != size;
  }
  if (largest == GPUVM_INF) return reciprocal ? 0.0 : GPUVM_INF;
  if (nan) return GPUVM_QNAN;
  if (largest == 0) return reciprocal ? GPUVM_INF : 0.0;
  int exponent;
  __nv_frexp(largest, &exponent);
  gpuvm_pair sum = {0, 0};
  for (int i = 0; i < count; i++) {
    double number = gpuvm_scale(numbers[i], 1 - exponent);
    sum = gpuvm_add(sum, gpuvm_product(number, number));
  }
  double root = __nvvm_sqrt_rn_d(sum.high);
  double rest = (__builtin_fma(-root, root, sum.high) + sum.low) / (2.0 * root);
  if (!reciprocal) return __nv_ldexp(root + rest, exponent - 1);
  double y = 1.0 / root;
  double error = __builtin_fma(-root, y, 1.0) - rest * y;
  return __nv_ldexp(__builtin_fma(y, error, y), 1 - exponent);
}
GPUVM_NV double __nv_hypot(double a, double b) {
  double all[2] = {a, b};
  return gpuvm_norm(2, all, false);
}
GPUVM_NV double __nv_rhypot(double a, double b) {
  double all[2] = {a, b};
  return gpuvm_norm(2, all, true);
}
GPUVM_NV double __nv_norm3d(double a, double b, double c) {
  double all[3] = {a, b, c};
  return gpuvm_norm(3, all, false);
}
GPUVM_NV double __nv_rnorm3d(double a, double b, double c) {
  double all[3] = {a, b, c};
  return gpuvm_norm(3, all, true);
}
GPUVM_NV double __nv_norm4d(double a, double b, double c, double d) {
  double all[4] = {a, b, c, d};
  return gpuvm_norm(4, all, false);
}
GPUVM_NV double __nv_rnorm4d(double a, double b, double c, double d) {
  double all[4] = {a, b, c, d};
  return gpuvm_norm(4, all, true);
}
GPUVM_NV double __nv_norm(int count, const double *numbers) { return gpuvm_norm(count, numbers, false); }
GPUVM_NV double __nv_rnorm(int count, const double *numbers) { return gpuvm_norm(count, numbers, true); }

/* Squares of floats are exact in doubles, and neither overflow nor vanish. */
GPUVM_FUNCTION float gpuvm_normf(double squares, bool infinite, bool reciprocal) {
  if (infinite) return reciprocal ? 0.0f : __builtin_inff();
  double root = __nvvm_sqrt_rn_d(squares);
  return (float)(reciprocal ? 1.0 / root : root);
}
GPUVM_FUNCTION double gpuvm_square(float a) { return (double)a * a; }
GPUVM_FUNCTION bool gpuvm_infinite(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
GPUVM_NV float __nv_hypotf(float a, float b) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b), gpuvm_infinite(a) || gpuvm_infinite(b), false);
}
GPUVM_NV float __nv_rhypotf(float a, float b) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b), gpuvm_infinite(a) || gpuvm_infinite(b), true);
}
GPUVM_NV float __nv_norm3df(float a, float b, float c) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b) + gpuvm_square(c), gpuvm_infinite(a) || gpuvm_infinite(b) || gpuvm_infinite(c), false);
}
GPUVM_NV float __nv_rnorm3df(float a, float b, float c) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b) + gpuvm_square(c), gpuvm_infinite(a) || gpuvm_infinite(b) || gpuvm_infinite(c), true);
}
GPUVM_NV float __nv_norm4df(float a, float b, float c, float d) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b) + gpuvm_square(c) + gpuvm_square(d),
      gpuvm_infinite(a) || gpuvm_infinite(b) || gpuvm_infinite(c) || gpuvm_infinite(d), false);
}
GPUVM_NV float __nv_rnorm4df(float a, float b, float c, float d) {
  return gpuvm_normf(gpuvm_square(a) + gpuvm_square(b) + gpuvm_square(c) + gpuvm_square(d),
      gpuvm_infinite(a) || gpuvm_infinite(b) || gpuvm_infinite(c) || gpuvm_infinite(d), true);
}
GPUVM_FUNCTION float gpuvm_normsf(int count, const float *numbers, bool reciprocal) {
  double squares = 0;
  bool infinite = false;
  for (int i = 0; i < count; i++) {
    squares += gpuvm_square(numbers[i]);
    infinite |= gpuvm_infinite(numbers[i]);
  }
  return gpuvm_normf(squares, infinite, reciprocal);
}
GPUVM_NV float __nv_normf(int count, const float *numbers) { return gpuvm_normsf(count, numbers, false); }
GPUVM_NV float __nv_rnormf(int count, const float *numbers) { return gpuvm_normsf(count, numbers, true); }

/*
 * Exponential function: exp(a) = 2^n exp(r), |r| at most log(2) / 2.
 */
/* exp(r) of r = high + low as a pair. */
GPUVM_FUNCTION gpuvm_pair gpuvm_exp_reduced(double high, double low) {
  gpuvm_pair one = gpuvm_fast_sum(1.0, high);
  double square = high * high;
  return gpuvm_fast_sum(one.high, one.low + __builtin_fma(square, gpuvm_exp_tail(high), low + high * low));
}
/* exp(a.high + a.low) / 2^n as a pair, and n; for |a| at most 1,500. */
GPUVM_FUNCTION gpuvm_pair gpuvm_exp_pair(gpuvm_pair a, int *n) {
  double whole = __builtin_rint(a.high * GPUVM_LOG2E_HIGH);
  *n = (int)whole;
  /* The product with 32 bits is exact, and so is the difference. */
  double high = __builtin_fma(-whole, GPUVM_LN2_SHORT, a.high);
  gpuvm_pair product = gpuvm_product(whole, GPUVM_LN2_REST);
  gpuvm_pair reduced = gpuvm_sum(high, -product.high);
  reduced = gpuvm_fast_sum(reduced.high, reduced.low + (a.low - product.low));
  return gpuvm_exp_reduced(reduced.high, reduced.low);
}
GPUVM_FUNCTION double gpuvm_exp_of(gpuvm_pair a) {
  if (a.high > 710.0) return GPUVM_INF;
  if (a.high < -746.0) return 0.0;
  int n;
  gpuvm_pair power = gpuvm_exp_pair(a, &n);
  return __nv_ldexp(power.high + power.low, n);
}
GPUVM_NV double __nv_exp(double a) { return a != a ? a : gpuvm_exp_of(gpuvm_of(a, 0)); }
GPUVM_NV double __nv_exp2(double a) {
  if (a != a) return a;
  if (a > 1025.0) return GPUVM_INF;
  if (a < -1076.0) return 0.0;
  double whole = __builtin_rint(a);
  double rest = a - whole;
  gpuvm_pair reduced = gpuvm_product(rest, GPUVM_LN2_HIGH);
  gpuvm_pair power = gpuvm_exp_reduced(reduced.high, __builtin_fma(rest, GPUVM_LN2_LOW, reduced.low));
  return __nv_ldexp(power.high + power.low, (int)whole);
}
GPUVM_NV double __nv_exp10(double a) {
  if (a != a) return a;
  if (a > 309.0) return GPUVM_INF;
  if (a < -324.0) return 0.0;
  return gpuvm_exp_of(gpuvm_multiply(gpuvm_of(a, 0), gpuvm_of(GPUVM_LN10_HIGH, GPUVM_LN10_LOW)));
}
GPUVM_NV double __nv_expm1(double a) {
  if (a != a || a == 0) return a;
  if (a > 710.0) return GPUVM_INF;
  if (a < -50.0) return -1.0;
  double size = __builtin_fabs(a);
  if (size < 0.34) return __builtin_fma(a * a, gpuvm_exp_tail(a), a);
  int n;
  gpuvm_pair power = gpuvm_exp_pair(gpuvm_of(a, 0), &n);
  if (n > 1000) return __nv_ldexp(power.high + power.low, n);
  double scale = gpuvm_power_of_2(n);
  gpuvm_pair difference = gpuvm_sum(power.high * scale, -1.0);
  return difference.high + (difference.low + power.low * scale);
}

/* Floats: exp(a) for |a| below 200, in doubles. */
GPUVM_FUNCTION double gpuvm_expf(double a) {
  double whole = __builtin_rint(a * GPUVM_LOG2E_HIGH);
  double r = __builtin_fma(-whole, GPUVM_LN2_HIGH, a);
  return (1.0 + __builtin_fma(r * r, gpuvm_expf_tail(r), r)) * gpuvm_power_of_2((int)whole);
}
GPUVM_FUNCTION double gpuvm_limit(double a, double end) { return a > end ? end : a < -end ? -end : a; }
GPUVM_NV float __nv_expf(float a) { return a != a ? a : (float)gpuvm_expf(gpuvm_limit(a, 200.0)); }
GPUVM_NV float __nv_exp2f(float a) { return a != a ? a : (float)gpuvm_expf(gpuvm_limit(a, 250.0) * GPUVM_LN2_HIGH); }
GPUVM_NV float __nv_exp10f(float a) { return a != a ? a : (float)gpuvm_expf(gpuvm_limit(a, 80.0) * GPUVM_LN10_HIGH); }
GPUVM_NV float __nv_expm1f(float a) {
  if (a != a || a == 0) return a;
  double x = gpuvm_limit(a, 200.0);
  if (x > -0.34 && x < 0.34) return (float)__builtin_fma(x * x, gpuvm_expf_tail(x), x);
  return (float)(gpuvm_expf(x) - 1.0);
}

/*
 * Logarithm: a = 2^n m, m from sqrt(1/2) to sqrt(2), log(m) = 2 atanh(s), s = (m - 1) / (m + 1).
 */
/* log(1 + f) of f = high + low, from sqrt(1/2) - 1 to sqrt(2) - 1, with an error of 2^-64. */
GPUVM_FUNCTION gpuvm_pair gpuvm_log_reduced(double high, double low) {
  gpuvm_pair bottom = gpuvm_fast_sum(2.0, high);
  bottom.low += low;
  double s = high / bottom.high;
  double s_low = (__builtin_fma(-s, bottom.high, high) + low - s * bottom.low) / bottom.high;
  gpuvm_pair square = gpuvm_product(s, s);
  square.low = __builtin_fma(2.0 * s, s_low, square.low);
  /* 1/3 + square * tail, as a pair. */
  gpuvm_pair factor = gpuvm_fast_sum(GPUVM_THIRD_HIGH, square.high * gpuvm_atanh_tail(square.high));
  factor.low += GPUVM_THIRD_LOW;
  gpuvm_pair term = gpuvm_multiply(gpuvm_multiply(gpuvm_of(s, s_low), square), factor);
  gpuvm_pair sum = gpuvm_fast_sum(s, term.high);
  sum.low += term.low + s_low;
  return gpuvm_fast_sum(2.0 * sum.high, 2.0 * sum.low);
}
/* Separates a positive number, also a denormal one: the fraction minus 1, and the exponent. */
GPUVM_FUNCTION double gpuvm_fraction(double a, int *exponent) {
  int shift = 0;
  if (a < 0x1p-1022) {
    a *= 0x1p54;
    shift = -54;
  }
  unsigned long long bits = gpuvm_bits<unsigned long long>(a) - 0x3fe6a09e667f3bcdull;
  *exponent = (int)((long long)bits >> 52) + shift;
  return gpuvm_bits<double>((bits & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1.0;
}
GPUVM_FUNCTION gpuvm_pair gpuvm_with_exponent(gpuvm_pair logarithm, int exponent) {
  if (exponent == 0) return logarithm;
  gpuvm_pair whole = gpuvm_fast_sum(exponent * GPUVM_LN2_SHORT, exponent * GPUVM_LN2_REST);
  whole.low += __builtin_fma((double)exponent, GPUVM_LN2_REST, -(exponent * GPUVM_LN2_REST)) + exponent * GPUVM_LN2_REST_LOW;
  return gpuvm_add(whole, logarithm);
}
/* log(a) of a positive number. */
GPUVM_FUNCTION gpuvm_pair gpuvm_log_pair(double a) {
  int exponent;
  double fraction = gpuvm_fraction(a, &exponent);
  return gpuvm_with_exponent(gpuvm_log_reduced(fraction, 0), exponent);
}
GPUVM_FUNCTION double gpuvm_log_special(double a) { return a == 0 ? -GPUVM_INF : a < 0 ? GPUVM_QNAN : a; }
GPUVM_FUNCTION bool gpuvm_log_regular(double a) { return a > 0 && a < GPUVM_INF; }
GPUVM_NV double __nv_log(double a) {
  if (!gpuvm_log_regular(a)) return gpuvm_log_special(a);
  gpuvm_pair logarithm = gpuvm_log_pair(a);
  return logarithm.high + logarithm.low;
}
GPUVM_NV double __nv_log2(double a) {
  if (!gpuvm_log_regular(a)) return gpuvm_log_special(a);
  int exponent;
  double fraction = gpuvm_fraction(a, &exponent);
  gpuvm_pair logarithm = gpuvm_multiply(gpuvm_log_reduced(fraction, 0), gpuvm_of(GPUVM_LOG2E_HIGH, GPUVM_LOG2E_LOW));
  gpuvm_pair sum = gpuvm_sum((double)exponent, logarithm.high);
  return sum.high + (sum.low + logarithm.low);
}
GPUVM_NV double __nv_log10(double a) {
  if (!gpuvm_log_regular(a)) return gpuvm_log_special(a);
  gpuvm_pair logarithm = gpuvm_multiply(gpuvm_log_pair(a), gpuvm_of(GPUVM_LOG10E_HIGH, GPUVM_LOG10E_LOW));
  return logarithm.high + logarithm.low;
}
/* log(1 + a) of a pair. */
GPUVM_FUNCTION gpuvm_pair gpuvm_log1p_pair(double high, double low) {
  if (high > -0.29 && high < 0.41) return gpuvm_log_reduced(high, low);
  gpuvm_pair sum = gpuvm_sum(1.0, high);
  sum.low += low;
  int exponent;
  double fraction = gpuvm_fraction(sum.high, &exponent);
  return gpuvm_with_exponent(gpuvm_log_reduced(fraction, sum.low * gpuvm_scale(1.0, -exponent)), exponent);
}
GPUVM_NV double __nv_log1p(double a) {
  if (!(a > -1.0) || a == GPUVM_INF || a == 0) return a == -1.0 ? -GPUVM_INF : a < -1.0 ? GPUVM_QNAN : a;
  if (__builtin_fabs(a) < 0x1p-54) return a;
  gpuvm_pair logarithm = gpuvm_log1p_pair(a, 0);
  return logarithm.high + logarithm.low;
}

/* Floats: log(m) of fraction and exponent, in doubles. */
GPUVM_FUNCTION double gpuvm_logf_reduced(double f) {
  double s = f / (2.0 + f);
  double square = s * s;
  double sum = __builtin_fma(square, gpuvm_atanhf_tail(square), GPUVM_THIRD_HIGH);
  return 2.0 * __builtin_fma(s * square, sum, s);
}
GPUVM_FUNCTION double gpuvm_logf(double a) {
  int exponent;
  double fraction = gpuvm_fraction(a, &exponent);
  return __builtin_fma((double)exponent, GPUVM_LN2_HIGH, gpuvm_logf_reduced(fraction));
}
GPUVM_NV float __nv_logf(float a) { return gpuvm_log_regular(a) ? (float)gpuvm_logf(a) : (float)gpuvm_log_special(a); }
GPUVM_NV float __nv_log2f(float a) {
  return gpuvm_log_regular(a) ? (float)(gpuvm_logf(a) * GPUVM_LOG2E_HIGH) : (float)gpuvm_log_special(a);
}
GPUVM_NV float __nv_log10f(float a) {
  return gpuvm_log_regular(a) ? (float)(gpuvm_logf(a) * GPUVM_LOG10E_HIGH) : (float)gpuvm_log_special(a);
}
GPUVM_NV float __nv_log1pf(float a) {
  if (!(a > -1.0f) || a == __builtin_inff() || a == 0) return a == -1.0f ? -__builtin_inff() : a < -1.0f ? __builtin_nanf("") : a;
  /* The sum is exact in doubles unless a is so small that the series of two terms is better. */
  if (__builtin_fabsf(a) < 0x1p-20f) return (float)__builtin_fma(-0.5 * (double)a, (double)a, (double)a);
  return (float)gpuvm_logf(1.0 + (double)a);
}

/* Powers. */
GPUVM_FUNCTION bool gpuvm_is_whole(double a) { return __builtin_trunc(a) == a; }
GPUVM_FUNCTION bool gpuvm_is_odd(double a) { return gpuvm_is_whole(a) && !gpuvm_is_whole(a * 0.5) && __builtin_fabs(a) < 0x1p53; }
/* Powers that are no product of an exponent and a logarithm of a positive number: returns true, and the power. */
GPUVM_FUNCTION bool gpuvm_pow_special(double a, double b, double *power) {
  if (a == 1.0 || b == 0) {
    *power = 1.0;
  } else if (a != a || b != b) {
    *power = GPUVM_QNAN;
  } else if (__builtin_fabs(b) == GPUVM_INF) {
    double size = __builtin_fabs(a);
    *power = size == 1.0 ? 1.0 : (size > 1.0) == (b > 0) ? GPUVM_INF : 0.0;
  } else if (a == 0 || __builtin_fabs(a) == GPUVM_INF) {
    double size = (a == 0) == (b > 0) ? 0.0 : GPUVM_INF;
    *power = gpuvm_is_odd(b) ? __builtin_copysign(size, a) : size;
  } else if (a < 0 && !gpuvm_is_whole(b)) {
    *power = GPUVM_QNAN;
  } else {
    return false;
  }
  return true;
}
GPUVM_NV_LARGE double __nv_pow(double a, double b) {
  double power;
  if (gpuvm_pow_special(a, b, &power)) return power;
  double sign = a < 0 && gpuvm_is_odd(b) ? -1.0 : 1.0;
  gpuvm_pair logarithm = gpuvm_log_pair(__builtin_fabs(a));
  double rough = logarithm.high * b;
  if (rough > 1000.0) return sign * GPUVM_INF;
  if (rough < -1000.0) return sign * 0.0;
  return sign * gpuvm_exp_of(gpuvm_multiply(logarithm, gpuvm_of(b, 0)));
}
GPUVM_NV float __nv_powf(float a, float b) {
  double power;
  if (gpuvm_pow_special(a, b, &power)) return (float)power;
  double size = gpuvm_expf(gpuvm_limit(gpuvm_logf(__builtin_fabsf(a)) * b, 200.0));
  return (float)(a < 0 && gpuvm_is_odd(b) ? -size : size);
}
GPUVM_NV double __nv_powi(double a, int b) { return __nv_pow(a, (double)b); }
GPUVM_NV float __nv_powif(float a, int b) {
  double power;
  if (gpuvm_pow_special(a, b, &power)) return (float)power;
  double size = gpuvm_expf(gpuvm_limit(gpuvm_logf(__builtin_fabsf(a)) * b, 200.0));
  return (float)(a < 0 && (b & 1) ? -size : size);
}

/*
 * Trigonometric functions: a = quadrant * pi / 2 + r, |r| at most pi / 4.
 */
struct gpuvm_angle {
  double high, low;
  int quadrant;
};
/* For |a| from 2^20: the product of the number's 53 bits and the bits of 2 / pi from those that matter on (Payne and Hanek). */
GPUVM_LARGE gpuvm_angle gpuvm_reduce_large(double a) {
  unsigned long long bits = gpuvm_bits<unsigned long long>(a);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075;
  unsigned long long fraction = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  /* Bits of 2 / pi before this one give multiples of 4 quadrants. */
  int first = exponent - 2 < 0 ? 0 : exponent - 2;
  int word = first >> 6;
  int shift = first & 63;
  unsigned long long digits[4];
  for (int i = 0; i < 4; i++) {
    unsigned long long next = gpuvm_two_over_pi[word + i + 1];
    digits[i] = shift == 0 ? gpuvm_two_over_pi[word + i] : gpuvm_two_over_pi[word + i] << shift | next >> (64 - shift);
  }
  /* The product: h0 is whole, and w0, w1, w2 are the digits after the point. */
  unsigned long long p0 = fraction * digits[0];
  unsigned long long p1 = fraction * digits[1];
  unsigned long long p2 = fraction * digits[2];
  unsigned long long h0 = __nvvm_mulhi_ull(fraction, digits[0]);
  unsigned long long w2 = p2 + __nvvm_mulhi_ull(fraction, digits[3]);
  unsigned long long carry2 = w2 < p2;
  unsigned long long w1 = p1 + __nvvm_mulhi_ull(fraction, digits[2]);
  unsigned long long carry1 = w1 < p1;
  w1 += carry2;
  carry1 += w1 < carry2;
  unsigned long long w0 = p0 + __nvvm_mulhi_ull(fraction, digits[1]);
  unsigned long long carry0 = w0 < p0;
  w0 += carry1;
  carry0 += w0 < carry1;
  h0 += carry0;
  /* The product times 2^point is the number of quadrants; point is from -32 to 2. */
  int point = exponent - first;
  gpuvm_angle angle;
  unsigned long long high = w0;
  unsigned long long middle = w1;
  unsigned long long low = w2;
  if (point > 0) {
    angle.quadrant = (int)(h0 << point | w0 >> (64 - point));
    high = w0 << point | w1 >> (64 - point);
    middle = w1 << point | w2 >> (64 - point);
    low = w2 << point;
  } else if (point < 0) {
    angle.quadrant = (int)(h0 >> -point);
    high = h0 << (64 + point) | w0 >> -point;
    middle = w0 << (64 + point) | w1 >> -point;
    low = w1 << (64 + point) | w2 >> -point;
  } else {
    angle.quadrant = (int)h0;
  }
  bool negative = high >> 63;
  if (negative) {
    angle.quadrant++;
    high = ~high;
    middle = ~middle;
    low = ~low;
  }
  /* The fraction of a quadrant, below 1/2, as a pair: leading zeros would lose bits. */
  int zeros = high == 0 ? 63 : __builtin_clzll(high);
  if (zeros > 0) {
    high = high << zeros | middle >> (64 - zeros);
    middle = middle << zeros | low >> (64 - zeros);
  }
  double part_high = (double)(high >> 11) * 0x1p-53;
  double part_low = ((double)(high & 0x7ff) + (double)(middle >> 11) * 0x1p-53) * 0x1p-64;
  double scale = gpuvm_power_of_2(-zeros);
  gpuvm_pair radians = gpuvm_multiply(gpuvm_of(part_high, part_low), gpuvm_of(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW));
  double sign = negative ? -scale : scale;
  angle.high = radians.high * sign;
  angle.low = radians.low * sign;
  if (a < 0) {
    angle.quadrant = -angle.quadrant;
    angle.high = -angle.high;
    angle.low = -angle.low;
  }
  return angle;
}
GPUVM_FUNCTION gpuvm_angle gpuvm_reduce(double a) {
  if (__builtin_fabs(a) >= 0x1p20) return gpuvm_reduce_large(a);
  gpuvm_angle angle;
  double whole = __builtin_rint(a * GPUVM_2_PI_HIGH);
  angle.quadrant = (int)whole;
  /* The first difference is exact: the fused operation rounds once, and its result has no more bits than a double. */
  double high = __builtin_fma(-whole, GPUVM_PI_2_HIGH, a);
  gpuvm_pair product = gpuvm_product(whole, GPUVM_PI_2_LOW);
  gpuvm_pair difference = gpuvm_sum(high, -product.high);
  gpuvm_pair reduced = gpuvm_fast_sum(difference.high, difference.low - product.low - whole * GPUVM_PI_2_REST);
  angle.high = reduced.high;
  angle.low = reduced.low;
  return angle;
}
GPUVM_FUNCTION gpuvm_pair gpuvm_sin_reduced(double high, double low) {
  double square = high * high;
  double cube = square * high;
  return gpuvm_fast_sum(high, __builtin_fma(cube, gpuvm_sin_tail(square), __builtin_fma(-0.5 * square, low, low)));
}
GPUVM_FUNCTION gpuvm_pair gpuvm_cos_reduced(double high, double low) {
  gpuvm_pair square = gpuvm_product(high, high);
  gpuvm_pair one = gpuvm_fast_sum(1.0, -0.5 * square.high);
  double tail = __builtin_fma(square.high * square.high, gpuvm_cos_tail(square.high), -0.5 * square.low - high * low);
  return gpuvm_fast_sum(one.high, one.low + tail);
}
GPUVM_FUNCTION double gpuvm_sin_of(gpuvm_angle angle) {
  gpuvm_pair value = angle.quadrant & 1 ? gpuvm_cos_reduced(angle.high, angle.low) : gpuvm_sin_reduced(angle.high, angle.low);
  return angle.quadrant & 2 ? -value.high : value.high;
}
GPUVM_FUNCTION gpuvm_angle gpuvm_quarter(gpuvm_angle angle) {
  angle.quadrant++;
  return angle;
}
GPUVM_FUNCTION bool gpuvm_finite(double a) { return __builtin_fabs(a) < GPUVM_INF; }
GPUVM_NV double __nv_sin(double a) { return !gpuvm_finite(a) ? GPUVM_QNAN : a == 0 ? a : gpuvm_sin_of(gpuvm_reduce(a)); }
GPUVM_NV double __nv_cos(double a) { return !gpuvm_finite(a) ? GPUVM_QNAN : gpuvm_sin_of(gpuvm_quarter(gpuvm_reduce(a))); }
GPUVM_NV void __nv_sincos(double a, double *sine, double *cosine) {
  if (!gpuvm_finite(a)) {
    *sine = GPUVM_QNAN;
    *cosine = GPUVM_QNAN;
    return;
  }
  gpuvm_angle angle = gpuvm_reduce(a);
  *sine = a == 0 ? a : gpuvm_sin_of(angle);
  *cosine = gpuvm_sin_of(gpuvm_quarter(angle));
}
GPUVM_NV double __nv_tan(double a) {
  if (!gpuvm_finite(a)) return GPUVM_QNAN;
  if (a == 0) return a;
  gpuvm_angle angle = gpuvm_reduce(a);
  gpuvm_pair top = gpuvm_sin_reduced(angle.high, angle.low);
  gpuvm_pair bottom = gpuvm_cos_reduced(angle.high, angle.low);
  if (angle.quadrant & 1) {
    gpuvm_pair cosine = bottom;
    bottom = top;
    top = gpuvm_of(-cosine.high, -cosine.low);
  }
  double quotient = top.high / bottom.high;
  return quotient + (__builtin_fma(-quotient, bottom.high, top.high) + top.low - quotient * bottom.low) / bottom.high;
}

/* Multiples of pi. The remainder of 1/2 is exact. */
GPUVM_FUNCTION gpuvm_angle gpuvm_reduce_pi(double a) {
  gpuvm_angle angle;
  double twice = __builtin_fabs(a) < 0x1p60 ? 2.0 * a : 0.0;
  double whole = __builtin_rint(twice);
  angle.quadrant = (int)((long long)whole & 3);
  gpuvm_pair radians =
      gpuvm_multiply(gpuvm_of(twice - whole, 0), gpuvm_of(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW));
  angle.high = radians.high;
  angle.low = radians.low;
  return angle;
}
GPUVM_FUNCTION double gpuvm_sinpi(double a) {
  if (!gpuvm_finite(a)) return GPUVM_QNAN;
  if (gpuvm_is_whole(a)) return __builtin_copysign(0.0, a);
  return gpuvm_sin_of(gpuvm_reduce_pi(a));
}
/* Zeros have no sign: the sum makes -0 positive. */
GPUVM_FUNCTION double gpuvm_cospi(double a) { return !gpuvm_finite(a) ? GPUVM_QNAN : gpuvm_sin_of(gpuvm_quarter(gpuvm_reduce_pi(a))) + 0.0; }
GPUVM_NV double __nv_sinpi(double a) { return gpuvm_sinpi(a); }
GPUVM_NV double __nv_cospi(double a) { return gpuvm_cospi(a); }
GPUVM_NV void __nv_sincospi(double a, double *sine, double *cosine) {
  *sine = gpuvm_sinpi(a);
  *cosine = gpuvm_cospi(a);
}

/* Floats. */
GPUVM_FUNCTION gpuvm_angle gpuvm_reducef(double a) {
  if (__builtin_fabs(a) >= 0x1p24) return gpuvm_reduce_large(a);
  gpuvm_angle angle;
  double whole = __builtin_rint(a * GPUVM_2_PI_HIGH);
  angle.quadrant = (int)whole;
  angle.high = __builtin_fma(-whole, GPUVM_PI_2_LOW, __builtin_fma(-whole, GPUVM_PI_2_HIGH, a));
  angle.low = 0;
  return angle;
}
GPUVM_FUNCTION double gpuvm_sinf_reduced(double r) {
  double square = r * r;
  return __builtin_fma(r * square, gpuvm_sinf_tail(square), r);
}
GPUVM_FUNCTION double gpuvm_cosf_reduced(double r) {
  double square = r * r;
  return __builtin_fma(square * square, gpuvm_cosf_tail(square), __builtin_fma(-0.5, square, 1.0));
}
GPUVM_FUNCTION float gpuvm_sinf_of(gpuvm_angle angle) {
  double value = angle.quadrant & 1 ? gpuvm_cosf_reduced(angle.high) : gpuvm_sinf_reduced(angle.high);
  return (float)(angle.quadrant & 2 ? -value : value);
}
GPUVM_FUNCTION bool gpuvm_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
GPUVM_NV float __nv_sinf(float a) { return !gpuvm_finitef(a) ? __builtin_nanf("") : a == 0 ? a : gpuvm_sinf_of(gpuvm_reducef(a)); }
GPUVM_NV float __nv_cosf(float a) { return !gpuvm_finitef(a) ? __builtin_nanf("") : gpuvm_sinf_of(gpuvm_quarter(gpuvm_reducef(a))); }
GPUVM_NV void __nv_sincosf(float a, float *sine, float *cosine) {
  if (!gpuvm_finitef(a)) {
    *sine = __builtin_nanf("");
    *cosine = __builtin_nanf("");
    return;
  }
  gpuvm_angle angle = gpuvm_reducef(a);
  *sine = a == 0 ? a : gpuvm_sinf_of(angle);
  *cosine = gpuvm_sinf_of(gpuvm_quarter(angle));
}
GPUVM_NV float __nv_tanf(float a) {
  if (!gpuvm_finitef(a)) return __builtin_nanf("");
  if (a == 0) return a;
  gpuvm_angle angle = gpuvm_reducef(a);
  double sine = gpuvm_sinf_reduced(angle.high);
  double cosine = gpuvm_cosf_reduced(angle.high);
  return (float)(angle.quadrant & 1 ? -cosine / sine : sine / cosine);
}
GPUVM_FUNCTION gpuvm_angle gpuvm_reduce_pif(float a) {
  gpuvm_angle angle;
  double twice = __builtin_fabsf(a) < 0x1p60f ? 2.0 * a : 0.0;
  double whole = __builtin_rint(twice);
  angle.quadrant = (int)((long long)whole & 3);
  angle.high = (twice - whole) * GPUVM_PI_2_HIGH;
  angle.low = 0;
  return angle;
}
GPUVM_NV float __nv_sinpif(float a) {
  if (!gpuvm_finitef(a)) return __builtin_nanf("");
  return gpuvm_is_whole(a) ? __builtin_copysignf(0.0f, a) : gpuvm_sinf_of(gpuvm_reduce_pif(a));
}
GPUVM_NV float __nv_cospif(float a) {
  return !gpuvm_finitef(a) ? __builtin_nanf("") : gpuvm_sinf_of(gpuvm_quarter(gpuvm_reduce_pif(a))) + 0.0f;
}
GPUVM_NV void __nv_sincospif(float a, float *sine, float *cosine) {
  *sine = __nv_sinpif(a);
  *cosine = __nv_cospif(a);
}

/*
 * Inverse trigonometric functions. atan(y / x), 0 <= y <= x, is an angle of the table, atan(n / 8), plus atan of the small rest.
 */
GPUVM_FUNCTION gpuvm_pair gpuvm_atan_ratio(double y, double x) {
  int n = (int)__builtin_rint(8.0 * (y / x));
  double c = n * 0.125;
  double t = __builtin_fma(-c, x, y) / __builtin_fma(c, y, x);
  double square = t * t;
  double tail = t * square * gpuvm_atan_tail(square);
  if (n == 0) return gpuvm_fast_sum(t, tail);
  gpuvm_pair sum = gpuvm_fast_sum(gpuvm_angles[n][0], t);
  return gpuvm_fast_sum(sum.high, sum.low + (gpuvm_angles[n][1] + tail));
}
/* c - a */
GPUVM_FUNCTION gpuvm_pair gpuvm_subtract_from(double high, double low, gpuvm_pair a) {
  gpuvm_pair sum = gpuvm_fast_sum(high, -a.high);
  return gpuvm_fast_sum(sum.high, sum.low + (low - a.low));
}
GPUVM_NV double __nv_atan(double a) {
  if (a != a || a == 0) return a;
  double size = __builtin_fabs(a);
  gpuvm_pair angle;
  if (size == GPUVM_INF) {
    angle = gpuvm_of(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW);
  } else if (size <= 1.0) {
    angle = gpuvm_atan_ratio(size, 1.0);
  } else {
    angle = gpuvm_subtract_from(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW, gpuvm_atan_ratio(1.0, size));
  }
  return __builtin_copysign(angle.high + angle.low, a);
}
GPUVM_NV double __nv_atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double size_x = __builtin_fabs(x);
  double size_y = __builtin_fabs(y);
  bool left = gpuvm_bits<long long>(x) < 0;
  gpuvm_pair angle;
  if (size_y == 0) {
    angle = gpuvm_of(0, 0);
  } else if (size_x == GPUVM_INF || size_y == GPUVM_INF) {
    angle = size_y != GPUVM_INF ? gpuvm_of(0, 0)
            : size_x == GPUVM_INF ? gpuvm_of(gpuvm_angles[8][0], gpuvm_angles[8][1])
                                  : gpuvm_of(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW);
  } else {
    double larger = size_x > size_y ? size_x : size_y;
    double smaller = size_x > size_y ? size_y : size_x;
    /* Sums do not overflow, and products do not vanish. */
    double scale = larger > 0x1p1000 ? 0x1p-100 : larger < 0x1p-900 ? 0x1p100 : 1.0;
    larger *= scale;
    smaller *= scale;
    double ratio = smaller / larger;
    angle = ratio < 0x1p-1000 ? gpuvm_of(ratio, 0) : gpuvm_atan_ratio(smaller, larger);
    if (size_y > size_x) angle = gpuvm_subtract_from(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW, angle);
  }
  if (left) angle = gpuvm_subtract_from(GPUVM_PI_HIGH, GPUVM_PI_LOW, angle);
  return __builtin_copysign(angle.high + angle.low, y);
}
GPUVM_FUNCTION double gpuvm_atanf_ratio(double y, double x) {
  int n = (int)__builtin_rint(8.0 * (y / x));
  double c = n * 0.125;
  double t = __builtin_fma(-c, x, y) / __builtin_fma(c, y, x);
  double square = t * t;
  return gpuvm_angles[n][0] + __builtin_fma(t * square, gpuvm_atanf_tail(square), t);
}
GPUVM_NV float __nv_atanf(float a) {
  if (a != a || a == 0) return a;
  double size = __builtin_fabsf(a);
  double angle = size <= 1.0 ? gpuvm_atanf_ratio(size, 1.0)
                 : size == GPUVM_INF ? GPUVM_PI_2_HIGH
                                     : GPUVM_PI_2_HIGH - gpuvm_atanf_ratio(1.0, size);
  return __builtin_copysignf((float)angle, a);
}
GPUVM_NV float __nv_atan2f(float y, float x) {
  if (x != x || y != y) return x + y;
  double size_x = __builtin_fabsf(x);
  double size_y = __builtin_fabsf(y);
  double angle;
  if (size_y == 0) {
    angle = 0;
  } else if (size_x == GPUVM_INF || size_y == GPUVM_INF) {
    angle = size_y != GPUVM_INF ? 0.0 : size_x == GPUVM_INF ? gpuvm_angles[8][0] : GPUVM_PI_2_HIGH;
  } else {
    angle = size_y <= size_x ? gpuvm_atanf_ratio(size_y, size_x) : GPUVM_PI_2_HIGH - gpuvm_atanf_ratio(size_x, size_y);
  }
  if (gpuvm_bits<int>(x) < 0) angle = GPUVM_PI_HIGH - angle;
  return __builtin_copysignf((float)angle, y);
}
/* asin of the root of (1 - size) / 2, which is exact, as a pair. */
GPUVM_FUNCTION gpuvm_pair gpuvm_asin_of_root(double size) {
  double z = 0.5 * (1.0 - size);
  double root = __nvvm_sqrt_rn_d(z);
  if (z == 0) return gpuvm_of(0, 0);
  double low = __builtin_fma(-root, root, z) / (2.0 * root);
  return gpuvm_fast_sum(root, __builtin_fma(root * z, gpuvm_asin_tail(z), low));
}
GPUVM_NV double __nv_asin(double a) {
  double size = __builtin_fabs(a);
  if (!(size <= 1.0)) return GPUVM_QNAN;
  if (size < 0.5) return __builtin_fma(a * (a * a), gpuvm_asin_tail(a * a), a);
  gpuvm_pair half = gpuvm_asin_of_root(size);
  gpuvm_pair angle = gpuvm_subtract_from(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW, gpuvm_of(2.0 * half.high, 2.0 * half.low));
  return __builtin_copysign(angle.high + angle.low, a);
}
GPUVM_NV double __nv_acos(double a) {
  double size = __builtin_fabs(a);
  if (!(size <= 1.0)) return GPUVM_QNAN;
  if (size < 0.5) {
    gpuvm_pair angle = gpuvm_fast_sum(a, a * (a * a) * gpuvm_asin_tail(a * a));
    angle = gpuvm_subtract_from(GPUVM_PI_2_HIGH, GPUVM_PI_2_LOW, angle);
    return angle.high + angle.low;
  }
  gpuvm_pair half = gpuvm_asin_of_root(size);
  gpuvm_pair angle = gpuvm_of(2.0 * half.high, 2.0 * half.low);
  if (a < 0) angle = gpuvm_subtract_from(GPUVM_PI_HIGH, GPUVM_PI_LOW, angle);
  return angle.high + angle.low;
}
/* asin of a number from -0.5 to 0.5, in doubles. */
GPUVM_FUNCTION double gpuvm_asinf(double a) { return __builtin_fma(a * (a * a), gpuvm_asinf_tail(a * a), a); }
GPUVM_NV float __nv_asinf(float a) {
  double size = __builtin_fabsf(a);
  if (!(size <= 1.0)) return __builtin_nanf("");
  double angle = size < 0.5 ? gpuvm_asinf(size) : GPUVM_PI_2_HIGH - 2.0 * gpuvm_asinf(__nvvm_sqrt_rn_d(0.5 * (1.0 - size)));
  return __builtin_copysignf((float)angle, a);
}
GPUVM_NV float __nv_acosf(float a) {
  double size = __builtin_fabsf(a);
  if (!(size <= 1.0)) return __builtin_nanf("");
  if (size < 0.5) return (float)(GPUVM_PI_2_HIGH - gpuvm_asinf(a));
  double angle = 2.0 * gpuvm_asinf(__nvvm_sqrt_rn_d(0.5 * (1.0 - size)));
  return (float)(a < 0 ? GPUVM_PI_HIGH - angle : angle);
}

/* Hyperbolic functions and their inverses. */
/* Above it, exp(size) / 2 overflows; below it, exp(size) / 4 does not. */
#define GPUVM_EXP_BOTH_LIMIT 710.5
/* exp(size) / 4 and exp(-size), as pairs; for size up to GPUVM_EXP_BOTH_LIMIT. */
GPUVM_FUNCTION void gpuvm_exp_both(double size, gpuvm_pair *quarter, gpuvm_pair *inverse) {
  int n;
  gpuvm_pair power = gpuvm_exp_pair(gpuvm_of(size, 0), &n);
  double y = 1.0 / power.high;
  double error = __builtin_fma(-power.high, y, 1.0) - power.low * y;
  double down = n > 1000 ? 0.0 : gpuvm_power_of_2(-n);
  *inverse = gpuvm_of(y * down, y * error * down);
  double up = gpuvm_power_of_2(n - 2);
  *quarter = gpuvm_of(power.high * up, power.low * up);
}
GPUVM_NV double __nv_sinh(double a) {
  double size = __builtin_fabs(a);
  if (size < 1.0) return __builtin_fma(a * (a * a), gpuvm_sinh_tail(a * a), a);
  if (!(size < GPUVM_EXP_BOTH_LIMIT)) return a != a ? a : __builtin_copysign(GPUVM_INF, a);
  gpuvm_pair quarter;
  gpuvm_pair inverse;
  gpuvm_exp_both(size, &quarter, &inverse);
  gpuvm_pair difference = gpuvm_fast_sum(quarter.high, -0.25 * inverse.high);
  return __builtin_copysign(2.0 * (difference.high + (difference.low + (quarter.low - 0.25 * inverse.low))), a);
}
GPUVM_NV double __nv_cosh(double a) {
  double size = __builtin_fabs(a);
  if (!(size < GPUVM_EXP_BOTH_LIMIT)) return size * GPUVM_INF;
  gpuvm_pair quarter;
  gpuvm_pair inverse;
  gpuvm_exp_both(size, &quarter, &inverse);
  gpuvm_pair sum = gpuvm_sum(quarter.high, 0.25 * inverse.high);
  return 2.0 * (sum.high + (sum.low + (quarter.low + 0.25 * inverse.low)));
}
GPUVM_NV double __nv_tanh(double a) {
  if (a == 0) return a;
  double size = __builtin_fabs(a);
  if (size < 0.55) return __builtin_fma(a * (a * a), gpuvm_tanh_tail(a * a), a);
  if (!(size < 22.0)) return a != a ? a : __builtin_copysign(1.0, a);
  gpuvm_pair quarter;
  gpuvm_pair inverse;
  gpuvm_exp_both(2.0 * size, &quarter, &inverse);
  /* 1 - 2 / (exp(2 size) + 1) */
  gpuvm_pair bottom = gpuvm_fast_sum(4.0 * quarter.high, 1.0);
  bottom.low += 4.0 * quarter.low;
  double quotient = 2.0 / bottom.high;
  double low = (__builtin_fma(-quotient, bottom.high, 2.0) - quotient * bottom.low) / bottom.high;
  gpuvm_pair difference = gpuvm_fast_sum(1.0, -quotient);
  return __builtin_copysign(difference.high + (difference.low - low), a);
}
GPUVM_NV float __nv_sinhf(float a) {
  double x = gpuvm_limit(a, 200.0);
  if (__builtin_fabsf(a) < 0.34f) return (float)__nv_sinh((double)a);
  double power = gpuvm_expf(__builtin_fabs(x));
  return a != a ? a : __builtin_copysignf((float)(0.5 * power - 0.5 / power), a);
}
GPUVM_NV float __nv_coshf(float a) {
  double power = gpuvm_expf(__builtin_fabs(gpuvm_limit(a, 200.0)));
  return a != a ? a : (float)(0.5 * power + 0.5 / power);
}
GPUVM_NV float __nv_tanhf(float a) {
  double x = a;
  if (a == 0) return a;
  if (__builtin_fabsf(a) < 0.55f) return (float)__builtin_fma(x * (x * x), gpuvm_tanhf_tail(x * x), x);
  double power = gpuvm_expf(2.0 * __builtin_fabs(gpuvm_limit(x, 50.0)));
  return a != a ? a : __builtin_copysignf((float)(1.0 - 2.0 / (power + 1.0)), a);
}
/* asinh(a) = log1p(a + a^2 / (1 + sqrt(1 + a^2))) */
GPUVM_NV double __nv_asinh(double a) {
  double size = __builtin_fabs(a);
  if (!(size < GPUVM_INF) || size < 0x1p-28) return a;
  gpuvm_pair logarithm;
  if (size > 0x1p28) {
    logarithm = gpuvm_add(gpuvm_log_pair(size), gpuvm_of(GPUVM_LN2_HIGH, GPUVM_LN2_LOW));
  } else {
    gpuvm_pair square = gpuvm_product(size, size);
    gpuvm_pair sum = gpuvm_sum(1.0, square.high);
    double root = __nvvm_sqrt_rn_d(sum.high);
    double rest = (__builtin_fma(-root, root, sum.high) + sum.low + square.low) / (2.0 * root);
    gpuvm_pair bottom = gpuvm_fast_sum(root, 1.0);
    bottom.low += rest;
    double quotient = square.high / bottom.high;
    double quotient_low = (__builtin_fma(-quotient, bottom.high, square.high) + square.low - quotient * bottom.low) / bottom.high;
    gpuvm_pair total = gpuvm_sum(size, quotient);
    logarithm = gpuvm_log1p_pair(total.high, total.low + quotient_low);
  }
  return __builtin_copysign(logarithm.high + logarithm.low, a);
}
/* acosh(a) = log1p(t + sqrt(2 t + t^2)), t = a - 1 */
GPUVM_NV double __nv_acosh(double a) {
  if (!(a >= 1.0)) return GPUVM_QNAN;
  if (a == GPUVM_INF) return a;
  gpuvm_pair logarithm;
  if (a > 0x1p28) {
    logarithm = gpuvm_add(gpuvm_log_pair(a), gpuvm_of(GPUVM_LN2_HIGH, GPUVM_LN2_LOW));
  } else {
    double t = a - 1.0;
    if (t == 0) return 0.0;
    gpuvm_pair square = gpuvm_product(t, t);
    gpuvm_pair sum = gpuvm_sum(2.0 * t, square.high);
    double root = __nvvm_sqrt_rn_d(sum.high);
    double rest = (__builtin_fma(-root, root, sum.high) + sum.low + square.low) / (2.0 * root);
    gpuvm_pair total = gpuvm_sum(root, t);
    logarithm = gpuvm_log1p_pair(total.high, total.low + rest);
  }
  return logarithm.high + logarithm.low;
}
/* atanh(a) = log1p(2 a / (1 - a)) / 2 */
GPUVM_NV double __nv_atanh(double a) {
  double size = __builtin_fabs(a);
  if (!(size <= 1.0)) return GPUVM_QNAN;
  if (size == 1.0) return __builtin_copysign(GPUVM_INF, a);
  if (size < 0x1p-28) return a;
  gpuvm_pair bottom = gpuvm_fast_sum(1.0, -size);
  double quotient = 2.0 * size / bottom.high;
  double low = (__builtin_fma(-quotient, bottom.high, 2.0 * size) - quotient * bottom.low) / bottom.high;
  gpuvm_pair logarithm = gpuvm_log1p_pair(quotient, low);
  return __builtin_copysign(0.5 * (logarithm.high + logarithm.low), a);
}
GPUVM_NV float __nv_asinhf(float a) { return (float)__nv_asinh((double)a); }
GPUVM_NV float __nv_acoshf(float a) { return (float)__nv_acosh((double)a); }
GPUVM_NV float __nv_atanhf(float a) { return (float)__nv_atanh((double)a); }

/*
 * Error functions. exp(a^2) erfc(a) (1 + 2 a) is smooth from 0 to infinity.
 */
GPUVM_FUNCTION double gpuvm_erfcx_positive(double a) {
  if (a > 0x1p100) return GPUVM_1_SQRT_PI_HIGH / a;
  if (a < 0.5) return gpuvm_exp_of(gpuvm_product(a, a)) * (1.0 - a * gpuvm_erf_part(a * a));
  return gpuvm_erfcx_part((a - 3.0) / (a + 3.0)) / __builtin_fma(2.0, a, 1.0);
}
/* exp(-a^2): the square is exact as a pair. */
GPUVM_FUNCTION double gpuvm_exp_minus_square(double a) {
  gpuvm_pair square = gpuvm_product(a, a);
  return gpuvm_exp_of(gpuvm_of(-square.high, -square.low));
}
GPUVM_NV_LARGE double __nv_erfc(double a) {
  if (a != a) return a;
  if (__builtin_fabs(a) < 0.5) return 1.0 - a * gpuvm_erf_part(a * a);
  double size = __builtin_fabs(a);
  if (size > 28.0) return a > 0 ? 0.0 : 2.0;
  double tail = gpuvm_exp_minus_square(size) * gpuvm_erfcx_positive(size);
  return a > 0 ? tail : 2.0 - tail;
}
GPUVM_NV double __nv_erf(double a) {
  if (__builtin_fabs(a) < 1.0) return a * gpuvm_erf_part(a * a);
  return a != a ? a : __builtin_copysign(1.0 - __nv_erfc(__builtin_fabs(a)), a);
}
GPUVM_NV double __nv_erfcx(double a) {
  if (a != a) return a;
  if (a >= 0) return gpuvm_erfcx_positive(a);
  if (a < -27.0) return GPUVM_INF;
  gpuvm_pair square = gpuvm_product(a, a);
  return 2.0 * gpuvm_exp_of(square) - gpuvm_erfcx_positive(-a);
}
/* normcdf(a) = erfc(-a / sqrt(2)) / 2; the quotient needs more bits than a double has where the function is small. */
GPUVM_NV_LARGE double __nv_normcdf(double a) {
  if (a != a) return a;
  if (a > 9.0) return 1.0;
  if (a < -39.0) return 0.0;
  gpuvm_pair x = gpuvm_multiply(gpuvm_of(-a, 0), gpuvm_of(GPUVM_SQRT_HALF_HIGH, GPUVM_SQRT_HALF_LOW));
  if (__builtin_fabs(x.high) < 0.5) return 0.5 * (1.0 - x.high * gpuvm_erf_part(x.high * x.high));
  gpuvm_pair square = gpuvm_multiply(x, x);
  double tail = gpuvm_exp_of(gpuvm_of(-square.high, -square.low)) * gpuvm_erfcx_positive(__builtin_fabs(x.high));
  return x.high > 0 ? 0.5 * tail : 1.0 - 0.5 * tail;
}
/* Inverse of erfc from 0 to 1, and of erf from -1 to 1: polynomials, and two steps of Halley's method. */
GPUVM_LARGE double gpuvm_erfc_inverse(double a) {
  double s = __nvvm_sqrt_rn_d(-__nv_log(a));
  double x = s + (s < 1.2 ? 0.0 : s < 4.0 ? gpuvm_quantile_tail_1(s) : gpuvm_quantile_tail_2(s));
  for (int i = 0; i < 2; i++) {
    /* (erfc(x) - a) / -erfc'(x), where erfc(x) = exp(-x^2) erfcx(x). */
    double power = gpuvm_exp_minus_square(x);
    double step = (gpuvm_erfcx_positive(x) - a / power) * GPUVM_HALF_SQRT_PI_HIGH;
    x += step / (1.0 - x * step);
  }
  return x;
}
GPUVM_LARGE double gpuvm_erf_inverse_center(double a) {
  double w = -__nv_log1p(-a * a);
  double x = a * gpuvm_quantile_center(w);
  for (int i = 0; i < 2; i++) {
    double step = (x * gpuvm_erf_part(x * x) - a) * GPUVM_HALF_SQRT_PI_HIGH / gpuvm_exp_minus_square(x);
    x -= step / (1.0 + x * step);
  }
  return x;
}
GPUVM_NV double __nv_erfinv(double a) {
  double size = __builtin_fabs(a);
  if (!(size < 1.0)) return size == 1.0 ? __builtin_copysign(GPUVM_INF, a) : GPUVM_QNAN;
  if (size < 0.8) return gpuvm_erf_inverse_center(a);
  return __builtin_copysign(gpuvm_erfc_inverse(1.0 - size), a);
}
GPUVM_NV double __nv_erfcinv(double a) {
  if (!(a > 0 && a < 2.0)) return a == 0 ? GPUVM_INF : a == 2.0 ? -GPUVM_INF : GPUVM_QNAN;
  if (a > 0.2 && a < 1.8) return gpuvm_erf_inverse_center(1.0 - a);
  return a < 1.0 ? gpuvm_erfc_inverse(a) : -gpuvm_erfc_inverse(2.0 - a);
}
GPUVM_NV double __nv_normcdfinv(double a) {
  if (!(a > 0 && a < 1.0)) return a == 0 ? -GPUVM_INF : a == 1.0 ? GPUVM_INF : GPUVM_QNAN;
  return -2.0 * GPUVM_SQRT_HALF_HIGH * __nv_erfcinv(2.0 * a);
}
GPUVM_NV float __nv_erff(float a) { return (float)__nv_erf((double)a); }
GPUVM_NV float __nv_erfcf(float a) { return (float)__nv_erfc((double)a); }
GPUVM_NV float __nv_erfcxf(float a) { return (float)__nv_erfcx((double)a); }
GPUVM_NV float __nv_erfinvf(float a) { return (float)__nv_erfinv((double)a); }
GPUVM_NV float __nv_erfcinvf(float a) { return (float)__nv_erfcinv((double)a); }
GPUVM_NV float __nv_normcdff(float a) { return (float)__nv_normcdf((double)a); }
GPUVM_NV float __nv_normcdfinvf(float a) { return (float)__nv_normcdfinv((double)a); }

/*
 * Gamma function: a polynomial from 1 to 2, recursion up to 10, Stirling's formula beyond.
 */
GPUVM_FUNCTION gpuvm_pair gpuvm_stirling_log(double a) {
  gpuvm_pair product = gpuvm_multiply(gpuvm_log_pair(a), gpuvm_of(a - 0.5, 0));
  gpuvm_pair sum = gpuvm_add(product, gpuvm_of(-a, 0));
  sum = gpuvm_add(sum, gpuvm_of(GPUVM_HALF_LOG_2PI_HIGH, GPUVM_HALF_LOG_2PI_LOW));
  return gpuvm_add(sum, gpuvm_of(gpuvm_stirling(1.0 / (a * a)) / a, 0));
}
/* gamma(a) of a positive number. */
GPUVM_FUNCTION double gpuvm_gamma_positive(double a) {
  if (a >= 10.0) return a > 172.0 ? GPUVM_INF : gpuvm_exp_of(gpuvm_stirling_log(a));
  double factor = 1.0;
  double divisor = 1.0;
  while (a >= 2.0) {
    a -= 1.0;
    factor *= a;
  }
  while (a < 1.0) {
    divisor *= a;
    a += 1.0;
  }
  return gpuvm_gamma_part(a - 1.5) * factor / divisor;
}
GPUVM_NV_LARGE double __nv_tgamma(double a) {
  if (a != a || a == GPUVM_INF) return a;
  if (a == 0) return 1.0 / a;
  if (a > 0) return gpuvm_gamma_positive(a);
  if (gpuvm_is_whole(a)) return GPUVM_QNAN;
  /* For small arguments, the sum 1 + a loses bits; the quotient does not. */
  if (a > -0.5) return gpuvm_gamma_part(a + 0.5) / (a * (1.0 + a));
  if (a < -185.0) return gpuvm_is_odd(__builtin_floor(a)) ? -0.0 : 0.0;
  double sine = gpuvm_sinpi(a);
  if (a > -170.0) return GPUVM_PI_HIGH / (sine * -a * gpuvm_gamma_positive(-a));
  gpuvm_pair logarithm = gpuvm_stirling_log(-a);
  return GPUVM_PI_HIGH / (sine * -a) * gpuvm_exp_of(gpuvm_of(-logarithm.high, -logarithm.low));
}
GPUVM_FUNCTION double gpuvm_lgamma_positive(double a) {
  if (a < 0.5) return a * gpuvm_lgamma_1(a) - __nv_log(a);
  if (a == 1.0) return 0.0;
  if (a < 1.5) return (a - 1.0) * gpuvm_lgamma_1(a - 1.0);
  if (a < 2.5) return (a - 2.0) * gpuvm_lgamma_2(a - 2.0);
  if (a < 10.0) {
    double factor = 1.0;
    while (a >= 2.5) {
      a -= 1.0;
      factor *= a;
    }
    return __nv_log(factor) + (a - 2.0) * gpuvm_lgamma_2(a - 2.0);
  }
  /* The other terms are too small to matter, and the product with the logarithm alone would overflow first. */
  if (a > 1e300) return a * (__nv_log(a) - 1.0);
  gpuvm_pair logarithm = gpuvm_stirling_log(a);
  return logarithm.high + logarithm.low;
}
GPUVM_NV_LARGE double __nv_lgamma(double a) {
  if (a != a) return a;
  if (__builtin_fabs(a) == GPUVM_INF) return GPUVM_INF;
  if (a > 0) return gpuvm_lgamma_positive(a);
  if (gpuvm_is_whole(a)) return GPUVM_INF;
  if (a > -0.5) return a * gpuvm_lgamma_1(a) - __nv_log(-a);
  return __nv_log(GPUVM_PI_HIGH / __builtin_fabs(a * gpuvm_sinpi(a))) - gpuvm_lgamma_positive(-a);
}
GPUVM_NV float __nv_tgammaf(float a) { return (float)__nv_tgamma((double)a); }
GPUVM_NV float __nv_lgammaf(float a) { return (float)__nv_lgamma((double)a); }

#endif
