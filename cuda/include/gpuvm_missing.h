/* Functions __nv_* that do not exist: a call is an error of the compilation. clang's headers declare them later. */
#ifndef GPUVM_MISSING_H
#define GPUVM_MISSING_H

#define GPUVM_MISSING(declaration) \
  extern "C" __device__ declaration __attribute__((error("Bessel functions are not supported on the device")));
GPUVM_MISSING(double __nv_j0(double))
GPUVM_MISSING(double __nv_j1(double))
GPUVM_MISSING(double __nv_jn(int, double))
GPUVM_MISSING(double __nv_y0(double))
GPUVM_MISSING(double __nv_y1(double))
GPUVM_MISSING(double __nv_yn(int, double))
GPUVM_MISSING(double __nv_cyl_bessel_i0(double))
GPUVM_MISSING(double __nv_cyl_bessel_i1(double))
GPUVM_MISSING(float __nv_j0f(float))
GPUVM_MISSING(float __nv_j1f(float))
GPUVM_MISSING(float __nv_jnf(int, float))
GPUVM_MISSING(float __nv_y0f(float))
GPUVM_MISSING(float __nv_y1f(float))
GPUVM_MISSING(float __nv_ynf(int, float))
GPUVM_MISSING(float __nv_cyl_bessel_i0f(float))
GPUVM_MISSING(float __nv_cyl_bessel_i1f(float))
#undef GPUVM_MISSING

#endif
