/*
 * Texture references and texture objects of linear memory: kernels copy components of texels, and the host compares them with the memory. With
 * an argument, the host expects other texels: a control that the checks can fail.
 */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      failures++; \
    } \
  } while (0)
#define CHECK_DONE(call) CHECK((call) == cudaSuccess)

enum { BYTES = 1024, THREADS = 64, BEFORE = 4 };

static int failures;
static unsigned char memory[BYTES];
static void *device;
static double *results;

texture<float, 1, cudaReadModeElementType> floats;
texture<float4> float4s;
static texture<int2> int2s;
texture<unsigned int, cudaTextureType1D> uints;
texture<short4, 1> short4s;
texture<unsigned char> bytes;
texture<uchar4, 1, cudaReadModeNormalizedFloat> fractions;
texture<short, 1, cudaReadModeNormalizedFloat> signedFractions;
texture<float> others;
texture<float> unused;

template <class T> struct parts {
  static __host__ __device__ int count() { return sizeof(T) / sizeof(T::x); }
  static __host__ __device__ double get(const T &t, int i) { return (&t.x)[i]; }
};
#define SCALAR(type) \
  template <> struct parts<type> { \
    static __host__ __device__ int count() { return 1; } \
    static __host__ __device__ double get(const type &t, int) { return t; } \
  };
SCALAR(float)
SCALAR(int)
SCALAR(unsigned int)
SCALAR(unsigned char)
SCALAR(short)
SCALAR(unsigned short)

template <class T> __device__ void store(double *out, const T &texel) {
  for (int i = 0; i < 4; i++) out[4 * threadIdx.x + i] = i < parts<T>::count() ? parts<T>::get(texel, i) : 0;
}

/* Each thread fetches one texel; the first ones fetch from before the memory. */
__device__ int index() { return (int)threadIdx.x - BEFORE; }
__global__ void fetchFloats(double *out) { store(out, tex1Dfetch(floats, index())); }
__global__ void fetchFloat4s(double *out) { store(out, tex1Dfetch(float4s, index())); }
__global__ void fetchInt2s(double *out) { store(out, tex1Dfetch(int2s, index())); }
__global__ void fetchUints(double *out) { store(out, tex1Dfetch(uints, index())); }
__global__ void fetchShort4s(double *out) { store(out, tex1Dfetch(short4s, index())); }
__global__ void fetchBytes(double *out) { store(out, tex1Dfetch(bytes, index())); }
__global__ void fetchFractions(double *out) { store(out, tex1Dfetch(fractions, index())); }
__global__ void fetchSignedFractions(double *out) { store(out, tex1Dfetch(signedFractions, index())); }
/* The function does not know the texture when it is compiled. */
__device__ __noinline__ float fetchAny(texture<float> reference, int i) { return tex1Dfetch(reference, i); }
__global__ void fetchParameter(double *out) { store(out, threadIdx.x & 1 ? fetchAny(floats, index()) : fetchAny(others, index())); }
template <class T> __global__ void fetchObject(double *out, cudaTextureObject_t object) { store(out, tex1Dfetch<T>(object, index())); }

/* Greatest number of a type, by which texels are divided that are read as fractions. */
static float fraction(unsigned char stored) { return (float)stored / 255; }
static float fraction(short stored) { return stored < -32767 ? -1 : (float)stored / 32767; }

/* Number of half precision: 10 bits of fraction, 5 of exponent. */
static float halfPrecision(unsigned short stored) {
  int exponent = stored >> 10 & 31;
  float fraction = (float)(stored & 1023) / 1024;
  float size = exponent == 0 ? std::ldexp(fraction, -14) : exponent == 31 ? INFINITY : std::ldexp(1 + fraction, exponent - 15);
  if (exponent == 31 && fraction != 0) size = NAN;
  return stored >> 15 ? -size : size;
}

/* Texel of the host, with the components of its type as numbers; zeros outside of a number of texels. */
template <class T> static double expected(int texel, int texels, int component) {
  T stored;
  if (texel < 0 || texel >= texels || component >= parts<T>::count()) return 0;
  std::memcpy(&stored, memory + sizeof(T) * texel, sizeof stored);
  return parts<T>::get(stored, component);
}
template <class T> struct plain {
  double operator()(int texel, int texels, int component) const { return expected<T>(texel, texels, component); }
};
template <class T, class Component> struct divided {
  double operator()(int texel, int texels, int component) const {
    return fraction((Component)expected<T>(texel, texels, component));
  }
};

struct halves {
  double operator()(int texel, int texels, int component) const {
    return halfPrecision((unsigned short)expected<unsigned short>(texel, texels, component));
  }
};

template <class Expected> static void compare(int line, int texels, Expected expects) {
  double found[4 * THREADS];
  CHECK_DONE(cudaMemcpy(found, results, sizeof found, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int thread = 0; thread < THREADS; thread++)
    for (int i = 0; i < 4; i++) {
      double wanted = expects(thread - BEFORE, texels, i);
      double got = found[4 * thread + i];
      if (got != wanted && (got == got || wanted == wanted) && wrong++ == 0)
        std::printf("line %d: texel %d, component %d: %g, expected %g\n", line, thread - BEFORE, i, got, wanted);
    }
  failures += wrong != 0;
}

/* Binds memory for some texels to a reference, and compares what its kernel reads. */
#define REFERENCE(reference, kernel, texel, texels, expects) \
  do { \
    size_t offset = 1; \
    CHECK_DONE(cudaBindTexture(&offset, reference, device, (texels) * sizeof(texel))); \
    CHECK(offset == 0); \
    kernel<<<1, THREADS>>>(results); \
    compare(__LINE__, texels, expects); \
  } while (0)

static cudaTextureObject_t create(cudaChannelFormatDesc format, size_t size, cudaTextureReadMode mode) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = size;
  cudaTextureDesc texture;
  std::memset(&texture, 0, sizeof texture);
  texture.readMode = mode;
  cudaTextureObject_t object = 0;
  CHECK_DONE(cudaCreateTextureObject(&object, &resource, &texture, NULL));
  cudaResourceDesc foundResource;
  cudaTextureDesc foundTexture;
  CHECK_DONE(cudaGetTextureObjectResourceDesc(&foundResource, object));
  CHECK(foundResource.resType == cudaResourceTypeLinear && foundResource.res.linear.devPtr == device);
  CHECK_DONE(cudaGetTextureObjectTextureDesc(&foundTexture, object));
  CHECK(foundTexture.readMode == mode);
  return object;
}

#define OBJECT(format, fetched, texel, texels, mode, expects) \
  do { \
    cudaTextureObject_t object = create(cudaCreateChannelDesc<format>(), (texels) * sizeof(texel), mode); \
    fetchObject<fetched><<<1, THREADS>>>(results, object); \
    compare(__LINE__, texels, expects); \
    CHECK_DONE(cudaDestroyTextureObject(object)); \
  } while (0)

static void references() {
  REFERENCE(floats, fetchFloats, float, 50, plain<float>());
  CHECK_DONE(cudaBindTexture(0, others, device, 50 * sizeof(float)));
  REFERENCE(floats, fetchParameter, float, 50, plain<float>());
  REFERENCE(float4s, fetchFloat4s, float4, 31, plain<float4>());
  REFERENCE(int2s, fetchInt2s, int2, 40, plain<int2>());
  REFERENCE(uints, fetchUints, unsigned int, 60, plain<unsigned int>());
  REFERENCE(short4s, fetchShort4s, short4, 55, plain<short4>());
  REFERENCE(bytes, fetchBytes, unsigned char, 33, plain<unsigned char>());
  REFERENCE(fractions, fetchFractions, uchar4, 50, (divided<uchar4, unsigned char>()));
  REFERENCE(signedFractions, fetchSignedFractions, short, 50, (divided<short, short>()));
}

/* A binding applies to later launches; without a size, it extends to the end of the memory. */
static void bindings() {
  CHECK_DONE(cudaBindTexture(0, floats, device));
  fetchFloats<<<1, THREADS>>>(results);
  compare(__LINE__, BYTES / 4, plain<float>());
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_DONE(cudaBindTexture(NULL, floats, device, format, 20 * sizeof(float)));
  fetchFloats<<<1, THREADS>>>(results);
  compare(__LINE__, 20, plain<float>());
  const textureReference *found = NULL;
  CHECK_DONE(cudaGetTextureReference(&found, &floats));
  CHECK(found == &floats);
  CHECK_DONE(cudaBindTexture(NULL, found, device, &format, 30 * sizeof(float)));
  fetchFloats<<<1, THREADS>>>(results);
  compare(__LINE__, 30, plain<float>());
  size_t offset = 1;
  CHECK_DONE(cudaGetTextureAlignmentOffset(&offset, floats));
  CHECK(offset == 0);
  void *other;
  CHECK_DONE(cudaMalloc(&other, 64));
  CHECK_DONE(cudaBindTexture(0, floats, other, 64));
  CHECK_DONE(cudaFree(other));
  CHECK_DONE(cudaBindTexture(0, floats, device, 30 * sizeof(float)));
  fetchFloats<<<1, THREADS>>>(results);
  compare(__LINE__, 30, plain<float>());
  CHECK_DONE(cudaUnbindTexture(floats));
  CHECK_DONE(cudaBindTexture(0, unused, device));
  CHECK(cudaBindTexture(0, floats, memory) != cudaSuccess);
  cudaGetLastError();
}

static void objects() {
  OBJECT(float, float, float, 50, cudaReadModeElementType, plain<float>());
  OBJECT(float4, float4, float4, 31, cudaReadModeElementType, plain<float4>());
  OBJECT(int2, int2, int2, 40, cudaReadModeElementType, plain<int2>());
  OBJECT(short4, short4, short4, 55, cudaReadModeElementType, plain<short4>());
  OBJECT(unsigned char, unsigned char, unsigned char, 33, cudaReadModeElementType, plain<unsigned char>());
  OBJECT(uchar4, float4, uchar4, 50, cudaReadModeNormalizedFloat, (divided<uchar4, unsigned char>()));
  OBJECT(short, float, short, 50, cudaReadModeNormalizedFloat, (divided<short, short>()));
  cudaTextureObject_t object = create(cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat), 2 * 50, cudaReadModeElementType);
  fetchObject<float><<<1, THREADS>>>(results, object);
  compare(__LINE__, 50, halves());
  CHECK_DONE(cudaDestroyTextureObject(object));
  /* As in hardware, registers have 32 bits, whatever the type of the texels. */
  OBJECT(unsigned char, int, unsigned char, 33, cudaReadModeElementType, plain<unsigned char>());
  OBJECT(short, int, short, 33, cudaReadModeElementType, plain<short>());
}

static void wrongObjects() {
  cudaResourceDesc resource;
  cudaTextureDesc texture;
  cudaTextureObject_t object = 0;
  std::memset(&resource, 0, sizeof resource);
  std::memset(&texture, 0, sizeof texture);
  resource.resType = cudaResourceTypePitch2D;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaErrorNotSupported);
  resource.resType = cudaResourceTypeArray;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaErrorNotSupported);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device;
  resource.res.linear.sizeInBytes = BYTES + 1;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaErrorInvalidValue);
  resource.res.linear.sizeInBytes = 64;
  resource.res.linear.devPtr = (char *)device + 2;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaErrorInvalidValue);
  resource.res.linear.devPtr = memory;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) != cudaSuccess);
  resource.res.linear.devPtr = device;
  resource.res.linear.desc.z = 8;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, NULL) == cudaErrorInvalidChannelDescriptor);
  CHECK(cudaDestroyTextureObject(17) == cudaErrorInvalidValue);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, 17) == cudaErrorInvalidValue);
  cudaGetLastError();
}

/* The objects of a context end with it. */
static void reset() {
  cudaTextureObject_t object = create(cudaCreateChannelDesc<float>(), 64, cudaReadModeElementType);
  CHECK_DONE(cudaDeviceReset());
  CHECK_DONE(cudaFree(0));
  CHECK(cudaDestroyTextureObject(object) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
}

int main(int count, char **) {
  for (int i = 0; i < BYTES; i++) memory[i] = (unsigned char)(i * 37 + (i >> 3) * 11);
  CHECK_DONE(cudaMalloc(&device, BYTES));
  CHECK_DONE(cudaMalloc(&results, 4 * THREADS * sizeof(double)));
  CHECK_DONE(cudaMemcpy(device, memory, BYTES, cudaMemcpyHostToDevice));
  if (count > 1) memory[4 * 5] ^= 1;
  references();
  bindings();
  objects();
  wrongObjects();
  reset();
  std::printf("failures=%d\n", failures);
  return failures != 0;
}
