#!/usr/bin/env python3
"""Derives the polynomials of the device's mathematics: Chebyshev approximations, computed with mpmath in 300 bits.

usage: derive.py > ../include/gpuvm_polynomials.h

Each polynomial approximates the part of a function that remains after its leading terms, so that the rounding errors of its coefficients
and of its evaluation count little. The comment of each states the largest error of the approximation, relative to the function.
"""
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 300

HEAD = """/*
 * Polynomials of the device's mathematics. cuda/math/derive.py generates this file; do not edit it.
 */
#ifndef GPUVM_POLYNOMIALS_H
#define GPUVM_POLYNOMIALS_H
"""


def polynomial(name, text, terms, interval, function, scale=lambda x: mpf(1)):
    """Prints a polynomial. scale is the factor of an error of the polynomial in the relative error of the result."""
    low, high = (mpf(end) for end in interval)
    coefficients = mp.chebyfit(function, [low, high], terms)
    rounded = [mpf(float(c)) for c in coefficients]
    worst = mpf(0)
    for i in range(401):
        x = low + (high - low) * (i + mpf(1) / 3) / 401
        error = abs((mp.polyval(rounded, x) - function(x)) * scale(x))
        worst = max(worst, error)
    print(f"\n/* {text}; for arguments from {mp.nstr(low, 5)} to {mp.nstr(high, 5)}, error 2^{mp.nstr(mp.log(worst, 2), 4)}. */")
    print(f"GPUVM_FUNCTION double gpuvm_{name}(double x) {{")
    print(f"  double sum = {float(rounded[0])!r};")
    for c in rounded[1:]:
        print(f"  sum = __builtin_fma(sum, x, {float(c)!r});")
    print("  return sum;\n}")
    sys.stderr.write(f"{name}: terms {terms}, error 2^{mp.nstr(mp.log(worst, 2), 4)}\n")


def series(name, text, terms, interval, coefficient, scale):
    """As polynomial, of a function that is given by its power series, which avoids cancellation."""
    polynomial(name, text, terms, interval, lambda x: mp.fsum(coefficient(k) * x**k for k in range(90)), scale)


def exp_tail(k):
    return 1 / mp.factorial(k + 2)


def atanh_tail(k):
    return mpf(1) / (2 * k + 5)


def sin_tail(k):
    return (-1) ** (k + 1) / mp.factorial(2 * k + 3)


def cos_tail(k):
    return (-1) ** k / mp.factorial(2 * k + 4)


def atan_tail(k):
    return mpf((-1) ** (k + 1)) / (2 * k + 3)


def asin_tail(k):
    n = k + 1
    return mp.factorial(2 * n) / (4**n * mp.factorial(n) ** 2 * (2 * n + 1))


def sinh_tail(k):
    return 1 / mp.factorial(2 * k + 3)


def tanh_tail(k):
    n = k + 2
    return 2 ** (2 * n) * (2 ** (2 * n) - 1) * mp.bernoulli(2 * n) / mp.factorial(2 * n)


def erf_part(k):
    return 2 / mp.sqrt(mp.pi) * (-1) ** k / (mp.factorial(k) * (2 * k + 1))


def lgamma_near_1(x):
    return mp.loggamma(1 + x) / x if abs(x) > mpf(10) ** -30 else -mp.euler


def lgamma_near_2(x):
    return mp.loggamma(2 + x) / x if abs(x) > mpf(10) ** -30 else 1 - mp.euler


def stirling(z):
    """log(gamma(x)) - ((x - 1/2) log(x) - x + log(2 pi) / 2), times x, of z = 1 / x^2."""
    return mp.fsum(mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) * z ** (k - 1) for k in range(1, 12))


ERFCX_CENTER = mpf(3)


def erfcx_part(t):
    """exp(x^2) erfc(x) (1 + 2 x) of t = (x - 3) / (x + 3)."""
    if t >= 1 - mpf(10) ** -20:
        return 2 / mp.sqrt(mp.pi)
    x = ERFCX_CENTER * (1 + t) / (1 - t)
    if x > 1000:
        z = 1 / (2 * x * x)
        return (1 + 2 * x) / (x * mp.sqrt(mp.pi)) * (1 - z + 3 * z**2 - 15 * z**3 + 105 * z**4 - 945 * z**5)
    return mp.exp(x * x) * mp.erfc(x) * (1 + 2 * x)


def quantile_center(w):
    """erfinv(y) / y of w = -log(1 - y^2)."""
    y = mp.sqrt(-mp.expm1(-w)) if w > 0 else mpf(0)
    return mp.erfinv(y) / y if y > mpf(10) ** -20 else mp.sqrt(mp.pi) / 2


def quantile_tail(s):
    """erfcinv(exp(-s^2)) - s."""
    target = -s * s
    x = s - (mp.log(s) + mpf("0.57")) / (2 * s)
    for _ in range(60):
        value = mp.log(mp.erfc(x)) - target
        slope = -2 / mp.sqrt(mp.pi) * mp.exp(-x * x) / mp.erfc(x)
        step = value / slope
        x -= step
        if abs(step) < mpf(10) ** -40:
            break
    return x - s


def constants():
    yield "LN2", mp.log(2)
    yield "LN10", mp.log(10)
    yield "LOG2E", 1 / mp.log(2)
    yield "LOG10E", 1 / mp.log(10)
    yield "PI", mp.pi
    yield "PI_2", mp.pi / 2
    yield "2_PI", 2 / mp.pi
    yield "THIRD", mpf(1) / 3
    yield "SQRT_HALF", mp.sqrt(mpf(1) / 2)
    yield "HALF_SQRT_PI", mp.sqrt(mp.pi) / 2
    yield "1_SQRT_PI", 1 / mp.sqrt(mp.pi)
    yield "HALF_LOG_2PI", mp.log(2 * mp.pi) / 2


def pair(name, value, high="_HIGH"):
    print(f"#define GPUVM_{name}{high} {float(value)!r}")
    print(f"#define GPUVM_{name}_LOW {float(value - float(value))!r}")


def main():
    half_ln2 = mp.log(2) / 2 * mpf("1.001")
    atanh_end = (mp.sqrt(2) - 1) ** 2 / (mp.sqrt(2) + 1) ** 2 * mpf("1.01")
    quarter = (mp.pi / 4 * mpf("1.001")) ** 2
    eighth = mpf("0.0665") ** 2
    print(HEAD.rstrip())
    print("\n/* Constants as sums of two doubles. */")
    for name, value in constants():
        pair(name, value)
    print("\n/* log(2): 32 bits, so that products with exponents are exact, and the rest as a sum of two doubles. */")
    short = mpf(int(mp.log(2) * 2**32)) / 2**32
    print(f"#define GPUVM_LN2_SHORT {float(short)!r}")
    pair("LN2_REST", mp.log(2) - short, "")
    rest = mp.pi / 2 - float(mp.pi / 2)
    print("\n/* What the two doubles of pi / 2 lack. */")
    print(f"#define GPUVM_PI_2_REST {float(rest - float(rest))!r}")
    print("\n/* Doubles. */")
    series("exp_tail", "(exp(x) - 1 - x) / x^2", 11, (-half_ln2, half_ln2), exp_tail, lambda x: x * x)
    series("atanh_tail", "(atanh(s) / s - 1 - x / 3) / x^2 of x = s^2", 9, (0, atanh_end), atanh_tail, lambda x: x * x)
    series("sin_tail", "(sin(r) - r) / r^3 of x = r^2", 7, (0, quarter), sin_tail, lambda x: x)
    series("cos_tail", "(cos(r) - 1 + x / 2) / x^2 of x = r^2", 7, (0, quarter), cos_tail, lambda x: x * x)
    series("atan_tail", "(atan(t) - t) / t^3 of x = t^2", 6, (0, eighth), atan_tail, lambda x: x)
    series("asin_tail", "(asin(s) - s) / s^3 of x = s^2", 13, (0, mpf("0.2501")), asin_tail, lambda x: x)
    series("sinh_tail", "(sinh(s) - s) / s^3 of x = s^2", 8, (0, 1), sinh_tail, lambda x: x)
    series("tanh_tail", "(tanh(s) - s) / s^3 of x = s^2", 12, (0, mpf("0.3026")), tanh_tail, lambda x: x)
    series("erf_part", "erf(s) / s of x = s^2", 15, (0, 1), erf_part, lambda x: 1)
    polynomial("erfcx_part", "exp(s^2) erfc(s) (1 + 2 s) of x = (s - 3) / (s + 3)", 26, (-1, 1), erfcx_part)
    polynomial("gamma_part", "gamma(1.5 + x)", 26, (-mpf("0.5"), mpf("0.5")), lambda x: mp.gamma(mpf("1.5") + x))
    polynomial("lgamma_1", "log(gamma(1 + x)) / x", 30, (-mpf("0.5"), mpf("0.5")), lgamma_near_1)
    polynomial("lgamma_2", "log(gamma(2 + x)) / x", 22, (-mpf("0.5"), mpf("0.5")), lgamma_near_2)
    polynomial("stirling", "remainder of Stirling's formula times s, of x = 1 / s^2", 7, (0, mpf(1) / 100), stirling, lambda x: x)
    polynomial("quantile_center", "erfinv(y) / y of x = -log(1 - y^2)", 9, (0, 5), quantile_center)
    polynomial("quantile_tail_1", "erfcinv(exp(-x^2)) - x", 8, (mpf("1.2"), 4), quantile_tail)
    polynomial("quantile_tail_2", "erfcinv(exp(-x^2)) - x", 7, (4, mpf("27.5")), quantile_tail)
    print("\n/* Floats, in doubles. */")
    series("expf_tail", "(exp(x) - 1 - x) / x^2", 6, (-half_ln2, half_ln2), exp_tail, lambda x: x * x)
    series("atanhf_tail", "(atanh(s) / s - 1 - x / 3) / x^2 of x = s^2", 5, (0, atanh_end), atanh_tail, lambda x: x * x)
    series("sinf_tail", "(sin(r) - r) / r^3 of x = r^2", 4, (0, quarter), sin_tail, lambda x: x)
    series("cosf_tail", "(cos(r) - 1 + x / 2) / x^2 of x = r^2", 4, (0, quarter), cos_tail, lambda x: x * x)
    series("atanf_tail", "(atan(t) - t) / t^3 of x = t^2", 3, (0, eighth), atan_tail, lambda x: x)
    series("asinf_tail", "(asin(s) - s) / s^3 of x = s^2", 6, (0, mpf("0.2501")), asin_tail, lambda x: x)
    series("tanhf_tail", "(tanh(s) - s) / s^3 of x = s^2", 6, (0, mpf("0.3026")), tanh_tail, lambda x: x)
    print("\n/* Angles atan(n / 8), n = 0 to 8, as sums of two doubles. */")
    print("static __constant__ const double gpuvm_angles[9][2] = {")
    for n in range(9):
        high = float(mp.atan(mpf(n) / 8))
        low = float(mp.atan(mpf(n) / 8) - mpf(high))
        print(f"  {{{high!r}, {low!r}}},")
    print("};")
    bits = 1280
    mp.prec = bits + 100
    digits = int(mp.floor(2 / mp.pi * mpf(2) ** bits))
    print("\n/* The binary digits of 2 / pi after the point, 64 in each word. */")
    print(f"static __constant__ const unsigned long long gpuvm_two_over_pi[{bits // 64}] = {{")
    words = [(digits >> (bits - 64 * (i + 1))) & (2**64 - 1) for i in range(bits // 64)]
    for i in range(0, len(words), 4):
        print("  " + " ".join(f"0x{word:016x}ull," for word in words[i : i + 4]))
    print("};\n\n#endif")


main()
