/*
 * Functions of CUDA C++ beside those of the C and C++ libraries: min and max of all types of numbers, for host and device; names without suffix for
 * floats; and functions for the host that C libraries lack.
 */
#ifndef GPUVM_OVERLOADS_H
#define GPUVM_OVERLOADS_H

#define GPUVM_HOST static __inline__ __host__
#define GPUVM_BOTH static __inline__ __host__ __device__

/* clang's headers declare min and max of int for the device alone. */
GPUVM_HOST int min(int a, int b) { return b < a ? b : a; }
GPUVM_HOST int max(int a, int b) { return a < b ? b : a; }

#define GPUVM_ORDER(type, a_type, b_type) \
  GPUVM_BOTH type min(a_type a, b_type b) { return (type)b < (type)a ? (type)b : (type)a; } \
  GPUVM_BOTH type max(a_type a, b_type b) { return (type)a < (type)b ? (type)b : (type)a; }
#define GPUVM_ORDER_MIXED(type, other) \
  GPUVM_ORDER(type, type, type) \
  GPUVM_ORDER(type, type, other) \
  GPUVM_ORDER(type, other, type)
GPUVM_ORDER_MIXED(unsigned int, int)
GPUVM_ORDER(long, long, long)
GPUVM_ORDER_MIXED(unsigned long, long)
GPUVM_ORDER(long long, long long, long long)
GPUVM_ORDER_MIXED(unsigned long long, long long)
#undef GPUVM_ORDER
#undef GPUVM_ORDER_MIXED

/* A NaN gives way to a number. */
#define GPUVM_ORDER(type, a_type, b_type, function) \
  GPUVM_BOTH type min(a_type a, b_type b) { return __builtin_fmin##function(a, b); } \
  GPUVM_BOTH type max(a_type a, b_type b) { return __builtin_fmax##function(a, b); }
GPUVM_ORDER(float, float, float, f)
GPUVM_ORDER(double, double, double, )
GPUVM_ORDER(double, float, double, )
GPUVM_ORDER(double, double, float, )
#undef GPUVM_ORDER

/* Functions of the device without suffix. */
#define GPUVM_FLOAT(name) GPUVM_FUNCTION float name(float a) { return ::name##f(a); }
GPUVM_FLOAT(rsqrt)
GPUVM_FLOAT(rcbrt)
GPUVM_FLOAT(sinpi)
GPUVM_FLOAT(cospi)
GPUVM_FLOAT(exp10)
GPUVM_FLOAT(erfinv)
GPUVM_FLOAT(erfcinv)
GPUVM_FLOAT(erfcx)
GPUVM_FLOAT(normcdf)
GPUVM_FLOAT(normcdfinv)
GPUVM_FLOAT(j0)
GPUVM_FLOAT(j1)
GPUVM_FLOAT(y0)
GPUVM_FLOAT(y1)
#undef GPUVM_FLOAT
GPUVM_FUNCTION float fdivide(float a, float b) { return a / b; }
/* clang's headers declare these, but do not define them. */
GPUVM_FUNCTION double nan(const char *payload) { return __nv_nan((const signed char *)payload); }
GPUVM_FUNCTION float nanf(const char *payload) { return __nv_nanf((const signed char *)payload); }
GPUVM_FUNCTION void sincos(float a, float *sine, float *cosine) { ::sincosf(a, sine, cosine); }
GPUVM_FUNCTION void sincospi(float a, float *sine, float *cosine) { ::sincospif(a, sine, cosine); }

/* Functions of the host that C libraries lack. */
GPUVM_HOST double rsqrt(double a) { return 1.0 / ::sqrt(a); }
GPUVM_HOST float rsqrtf(float a) { return (float)(1.0 / ::sqrt((double)a)); }
GPUVM_HOST float rsqrt(float a) { return rsqrtf(a); }
GPUVM_HOST double rcbrt(double a) { return 1.0 / ::cbrt(a); }
GPUVM_HOST float rcbrtf(float a) { return (float)(1.0 / ::cbrt((double)a)); }
GPUVM_HOST double fdivide(double a, double b) { return a / b; }
GPUVM_HOST float fdividef(float a, float b) { return a / b; }
GPUVM_HOST double normcdf(double a) { return 0.5 * ::erfc(-a * 0.70710678118654752440); }
GPUVM_HOST float normcdff(float a) { return (float)normcdf((double)a); }
GPUVM_HOST unsigned int umin(unsigned int a, unsigned int b) { return b < a ? b : a; }
GPUVM_HOST unsigned int umax(unsigned int a, unsigned int b) { return a < b ? b : a; }
/* The remainder is exact, so that only the multiplication by pi rounds. */
GPUVM_HOST double sinpi(double a) {
  double r = ::remainder(a, 2.0);
  return __builtin_fabs(r) > 0.5 ? ::sin(3.14159265358979323846 * (__builtin_copysign(1.0, r) - r)) : ::sin(3.14159265358979323846 * r);
}
GPUVM_HOST double cospi(double a) {
  double r = __builtin_fabs(::remainder(a, 2.0));
  return r > 0.25 && r < 0.75 ? ::sin(3.14159265358979323846 * (0.5 - r)) : ::cos(3.14159265358979323846 * r);
}
GPUVM_HOST float sinpif(float a) { return (float)sinpi((double)a); }
GPUVM_HOST float cospif(float a) { return (float)cospi((double)a); }

#undef GPUVM_HOST
#undef GPUVM_BOTH

#endif
