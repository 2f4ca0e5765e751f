/*
 * Runs the device's functions, and compares their results with the processor's, in long double or in 113 bits.
 *
 *   measure MODULE COUNT [NAME]...     functions of functions.def, for COUNT inputs each; default: all
 *   measure --all MODULE NAME...       functions of floats, for all floats
 *
 * Prints a line for each function: name, type, number of inputs, largest error, largest error permitted, and where it is. An error is in units
 * in the last place of the exact result. A result that should be no number but is one, or the reverse, or an infinity of a finite result, has
 * an infinite error. Exit status: 1 if an error exceeds what is permitted, 2 if a call fails.
 */
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <quadmath.h>
#include <string>
#include <vector>

#include <cuda.h>

#include "inputs.h"

namespace {

long double erfc_reference(long double x) { return (long double)erfcq((__float128)x); }

long double erfcx_reference(long double x) {
  __float128 a = x;
  if (std::isinf(x)) return x > 0 ? 0 : INFINITY;
  if (x > 100) {
    /* The continued fraction converges at once. */
    __float128 sum = a;
    for (int n = 40; n > 0; n--) sum = a + n / (2 * sum);
    return (long double)(1 / (sqrtq(M_PIq) * sum));
  }
  return (long double)(expq(a * a) * erfcq(a));
}

long double normcdf_reference(long double x) { return (long double)(erfcq(-(__float128)x / sqrtq(2)) / 2); }

/* The x with erfc(x) = a, by Newton's method on the logarithm, which is nearly a parabola. */
long double erfcinv_reference(long double a) {
  if (!(a > 0 && a < 2)) return a == 0 ? INFINITY : a == 2 ? -INFINITY : NAN;
  if (a == 1) return 0;
  if (a > 1) return -erfcinv_reference(2 - a);
  long double x = a > 0.5L ? (1 - a) * 0.886L : sqrtl(-logl(a));
  for (int i = 0; i < 100; i++) {
    long double value = erfcl(x);
    long double step = (logl(value) - logl(a)) * value * sqrtl(M_PIl) / 2 * expl(x * x);
    x += step;
    if (fabsl(step) < 1e-15L * fabsl(x)) break;
  }
  /* One step in 113 bits. */
  __float128 y = x;
  y += (erfcq(y) - (__float128)a) * sqrtq(M_PIq) / 2 * expq(y * y);
  return (long double)y;
}

long double erfinv_reference(long double a) {
  if (!(fabsl(a) < 1)) return fabsl(a) == 1 ? copysignl(INFINITY, a) : NAN;
  if (a == 0) return a;
  if (fabsl(a) > 0.5L) return copysignl(erfcinv_reference(1 - fabsl(a)), a);
  __float128 y = a * 0.886226925L;
  for (int i = 0; i < 6; i++) y -= (erfq(y) - (__float128)a) * sqrtq(M_PIq) / 2 * expq(y * y);
  return (long double)y;
}

/* C23: whole numbers have a zero with their sign. */
long double sinpi_reference(long double x) {
  if (truncl(x) == x && !std::isinf(x)) return copysignl(0, x);
  long double r = remainderl(x, 2);
  if (fabsl(r) > 0.5L) r = copysignl(1, r) - r;
  return sinl(M_PIl * r);
}

long double cospi_reference(long double x) {
  long double r = fabsl(remainderl(x, 2));
  return r > 0.25L && r < 0.75L ? sinl(M_PIl * (0.5L - r)) : r >= 0.75L ? -cosl(M_PIl * (1 - r)) : cosl(M_PIl * r);
}

/* The minimum, where -0 is less than 0. */
long double fmin_reference(long double x, long double y) { return x == y ? (std::signbit(x) ? x : y) : fminl(x, y); }

template <class T> struct numbers;
template <> struct numbers<float> {
  static constexpr double MAX = FLT_MAX, MIN = 0x1p-149, BIG = FLT_MAX / 4, EXP = 104;
  static constexpr int DIGITS = 24, LEAST = -149, LAST = 128;
};
template <> struct numbers<double> {
  static constexpr double MAX = DBL_MAX, MIN = 0x1p-1074, BIG = DBL_MAX / 4, EXP = 746;
  static constexpr int DIGITS = 53, LEAST = -1074, LAST = 1024;
};

/* Error of a result in units in the last place of the exact value. */
template <class T> double error_of(T result, long double exact) {
  if (std::isnan(exact) || std::isnan(result)) return std::isnan(exact) && std::isnan(result) ? 0 : INFINITY;
  int exponent = 0;
  if (exact != 0 && !std::isinf(exact)) frexpl(exact, &exponent);
  int unit = exponent - numbers<T>::DIGITS;
  if (exact == 0 || unit < numbers<T>::LEAST) unit = numbers<T>::LEAST;
  if (std::isinf(result)) {
    /* What rounds to infinity may be infinite. */
    bool beyond = std::isinf(exact) || fabsl(exact) >= ldexpl(1 - ldexpl(1, -numbers<T>::DIGITS - 1), numbers<T>::LAST);
    return beyond && std::signbit(result) == std::signbit(exact) ? 0 : INFINITY;
  }
  if (std::isinf(exact) || (exact == 0 && result == 0 && std::signbit(exact) != std::signbit(result))) return INFINITY;
  return (double)fabsl(ldexpl((long double)result - exact, -unit));
}

struct function {
  std::string name, type;
  double bound;
  inputs_domain x, y;
  bool binary;
  /* Error of the result at an index of the file. */
  double (*error)(const function &self, const void *results, unsigned int n, unsigned int count);
};

template <class T> T input(const inputs_domain &domain, unsigned int n, unsigned int count, unsigned int seed) {
  return (T)inputs_double(domain, n, count, seed);
}

std::vector<function> all_functions() {
  std::vector<function> all;
#define UNARY(name, type, low_, high_, from_, to_, bound, reference) \
  { \
    struct domains : numbers<type> { \
      static inputs_domain get() { return {low_, high_, from_, to_}; } \
      static double error(const function &self, const void *results, unsigned int n, unsigned int count) { \
        long double x = input<type>(self.x, n, count, 0); \
        return error_of(((const type *)results)[n], reference); \
      } \
    }; \
    all.push_back({#name, #type, bound, domains::get(), domains::get(), false, domains::error}); \
  }
#define BINARY(name, type, low_, high_, from_, to_, y_low, y_high, y_from, y_to, bound, reference) \
  { \
    struct domains : numbers<type> { \
      static inputs_domain get() { return {low_, high_, from_, to_}; } \
      static inputs_domain get_y() { return {y_low, y_high, y_from, y_to}; } \
      static double error(const function &self, const void *results, unsigned int n, unsigned int count) { \
        long double x = input<type>(self.x, n, count, 0); \
        long double y = input<type>(self.y, n, count, 1); \
        return error_of(((const type *)results)[n], reference); \
      } \
    }; \
    all.push_back({#name, #type, bound, domains::get(), domains::get_y(), true, domains::error}); \
  }
#include "functions.def"
  return all;
}

const unsigned int BLOCK = 256;
/* Threads of a launch, few enough for the time limit of launches. */
const unsigned int LAUNCH = 1u << 14;

void check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS) return;
  const char *name = "?";
  cuGetErrorName(result, &name);
  fprintf(stderr, "%s: %s\n", call, name);
  exit(2);
}
#define CHECK(call) check(call, #call)

CUfunction kernel(CUmodule module, const std::string &name) {
  CUfunction function;
  CUresult result = cuModuleGetFunction(&function, module, name.c_str());
  check(result, name.c_str());
  return function;
}

void launch(CUfunction function, unsigned int count, void **arguments) {
  CHECK(cuLaunchKernel(function, (count + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuCtxSynchronize());
}

/* Returns whether the error is permitted. */
bool measure(CUmodule module, const function &self, unsigned int count) {
  bool single = self.type == "float";
  std::vector<char> results((size_t)count * (single ? sizeof(float) : sizeof(double)));
  CUdeviceptr memory;
  CHECK(cuMemAlloc(&memory, results.size()));
  inputs_domain domains[2] = {self.x, self.y};
  CUfunction function = kernel(module, self.name + "_results");
  for (unsigned int first = 0; first < count; first += LAUNCH) {
    void *arguments[] = {&memory, domains, &first, &count};
    launch(function, std::min(LAUNCH, count - first), arguments);
  }
  CHECK(cuMemcpyDtoH(results.data(), memory, results.size()));
  CHECK(cuMemFree(memory));
  double worst = -1;
  unsigned int where = 0;
  for (unsigned int n = 0; n < count; n++) {
    double error = self.error(self, results.data(), n, count);
    if (error > worst) {
      worst = error;
      where = n;
    }
  }
  double x = single ? (double)input<float>(self.x, where, count, 0) : input<double>(self.x, where, count, 0);
  double y = single ? (double)input<float>(self.y, where, count, 1) : input<double>(self.y, where, count, 1);
  double result = single ? (double)((const float *)results.data())[where] : ((const double *)results.data())[where];
  printf("%s %s %u %.3f %g at %.17g", self.name.c_str(), self.type.c_str(), count, worst, self.bound, x);
  if (self.binary) printf(",%.17g", y);
  printf(" result %.17g%s\n", result, worst > self.bound ? " EXCEEDED" : "");
  fflush(stdout);
  return worst <= self.bound;
}

double (*exact_of_float(const std::string &name))(double) {
  if (name == "expf") return exp;
  if (name == "logf") return log;
  if (name == "sinf") return sin;
  if (name == "cosf") return cos;
  if (name == "atanf") return atan;
  fprintf(stderr, "name=%s, expected one of expf, logf, sinf, cosf, atanf\n", name.c_str());
  exit(2);
}

/* Error of a result in units in the last place of an exact value of more digits than a float has; see error_of. */
double error_of_float(float result, double exact) {
  if (!std::isfinite(result) || !std::isfinite(exact) || exact == 0) return error_of(result, (long double)exact);
  uint64_t bits;
  memcpy(&bits, &exact, sizeof bits);
  const int mantissa_bits = DBL_MANT_DIG - 1, bias = DBL_MAX_EXP - 1;
  int exponent = (int)(bits >> mantissa_bits & 0x7ff) - bias;
  int unit = std::max(exponent - (numbers<float>::DIGITS - 1), numbers<float>::LEAST);
  uint64_t inverse = (uint64_t)(bias - unit) << mantissa_bits;
  double scale;
  memcpy(&scale, &inverse, sizeof scale);
  return fabs(result - exact) * scale;
}

/* Threads of a launch of all floats: two such launches are in flight. */
const unsigned int ALL_LAUNCH = 1u << 17;

/* The part of all floats after which the progress is reported. */
const unsigned int REPORTED = 1u << 28;

bool measure_all(CUmodule module, const function &self) {
  double (*exact)(double) = exact_of_float(self.name);
  const size_t bytes = ALL_LAUNCH * sizeof(float);
  CUdeviceptr memory[2];
  CUstream streams[2];
  float *results[2];
  for (int i = 0; i < 2; i++) {
    CHECK(cuMemAlloc(&memory[i], bytes));
    CHECK(cuStreamCreate(&streams[i], CU_STREAM_NON_BLOCKING));
    CHECK(cuMemAllocHost((void **)&results[i], bytes));
  }
  CUfunction function = kernel(module, self.name + "_all");
  unsigned int count = ALL_LAUNCH;
  double worst = -1;
  float where = 0;
  const uint64_t end = uint64_t{1} << 32;
  for (uint64_t next = 0; next <= end; next += ALL_LAUNCH) {
    int side = (int)(next / ALL_LAUNCH % 2);
    if (next < end) {
      unsigned int first = (unsigned int)next;
      void *arguments[] = {&memory[side], &first, &count};
      CHECK(cuLaunchKernel(function, count / BLOCK, 1, 1, BLOCK, 1, 1, 0, streams[side], arguments, nullptr));
      CHECK(cuMemcpyDtoHAsync(results[side], memory[side], bytes, streams[side]));
    }
    if (next == 0) continue;
    unsigned int first = (unsigned int)(next - ALL_LAUNCH);
    CHECK(cuStreamSynchronize(streams[1 - side]));
    for (unsigned int n = 0; n < count; n++) {
      uint32_t bits = first + n;
      float x;
      memcpy(&x, &bits, sizeof x);
      double error = error_of_float(results[1 - side][n], exact(x));
      if (error > worst) {
        worst = error;
        where = x;
      }
    }
    if (next % REPORTED == 0) fprintf(stderr, "%s %.0f%%, largest error %.3f\n", self.name.c_str(), 100.0 * next / end, worst);
  }
  for (int i = 0; i < 2; i++) {
    CHECK(cuMemFree(memory[i]));
    CHECK(cuStreamDestroy(streams[i]));
    CHECK(cuMemFreeHost(results[i]));
  }
  printf("%s float 4294967296 %.3f %g at %.9g%s\n", self.name.c_str(), worst, self.bound, where, worst > self.bound ? " EXCEEDED" : "");
  fflush(stdout);
  return worst <= self.bound;
}

std::vector<char> content(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == nullptr) {
    perror(path);
    exit(2);
  }
  std::vector<char> bytes;
  char buffer[1 << 16];
  size_t count;
  while ((count = fread(buffer, 1, sizeof buffer, file)) > 0) bytes.insert(bytes.end(), buffer, buffer + count);
  fclose(file);
  bytes.push_back(0);
  return bytes;
}

}

int main(int count, char **arguments) {
  bool all = count > 1 && strcmp(arguments[1], "--all") == 0;
  if (count < 3 || (all && count < 4)) {
    fprintf(stderr, "usage: measure MODULE COUNT [NAME]... | measure --all MODULE NAME...\n");
    return 2;
  }
  unsigned int inputs = all ? 0 : (unsigned int)strtoul(arguments[2], nullptr, 0);
  std::vector<std::string> names(arguments + 3, arguments + count);
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuModuleLoadData(&module, content(arguments[all ? 2 : 1]).data()));
  bool permitted = true;
  size_t found = 0;
  for (const function &each : all_functions()) {
    bool named = names.empty();
    for (const std::string &name : names) named |= name == each.name;
    if (!named) continue;
    found++;
    permitted &= all ? measure_all(module, each) : measure(module, each, inputs);
  }
  CHECK(cuCtxDestroy(context));
  if (found < names.size()) {
    fprintf(stderr, "%zu of %zu names are functions of functions.def\n", found, names.size());
    return 2;
  }
  return permitted ? 0 : 1;
}
