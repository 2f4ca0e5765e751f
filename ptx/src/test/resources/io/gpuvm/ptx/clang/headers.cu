// A program in CUDA C++ that uses C++'s library beside CUDA: host and device code must compile in all versions of C++.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <math_constants.h>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

// The headers of CUDA's samples declare functions that check for errors only behind these.
#if !defined(__cuda_cuda_h__) || !defined(__CUDA_RUNTIME_H__) || !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__)
#error "a program cannot test which headers are included"
#endif

__constant__ float table[4];
__device__ double total;
texture<float2, 1, cudaReadModeElementType> pairs;
static texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> colours;

template <class T> struct Scale {
  T factor;
  __host__ __device__ T operator()(T value) const { return std::max(value * factor, T(1)); }
};

template <class Function> __global__ void apply(float *values, int count, Function function) {
  extern __shared__ float part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  dim3 size = blockDim;
  uint3 place = threadIdx;
  part[threadIdx.x] = i < count ? function(values[i]) + table[i & 3] : CUDART_INF_F;
  __syncthreads();
  if (i < count) values[i] = part[threadIdx.x ^ 1] + size.x + place.y + std::sin(values[i]) + pow(values[i], 2);
  assert(count > 3);
  if (i == 0) printf("%d values, first %f\n", count, values[0]);
}

__global__ void complexes(std::complex<float> *values) {
  std::complex<float> a = values[threadIdx.x];
  values[threadIdx.x] = a * a + std::conj(a) / std::abs(a);
}

/* A macro on the device only. In the pass for the host, kernels may use its name as a value. */
#if defined(__CUDA_ARCH__)
static_assert(__CUDA_ARCH__ == 200, "the GPU of the command line");
#elif __CUDA_ARCH__ != 0
#error "The preprocessor knows an architecture in the pass for the host."
#endif

__global__ void architecture(int *number) {
  static_assert(__CUDA_ARCH__ >= 200, "a value");
  printf("sm_%d\n", __CUDA_ARCH__ / 10);
  *number = max(__CUDA_ARCH__, *number);
}

__global__ void fetches(float4 *values, cudaTextureObject_t object) {
  float2 pair = tex1Dfetch(pairs, threadIdx.x);
  float4 colour = tex1Dfetch(colours, threadIdx.x);
  int4 numbers;
  tex1Dfetch(&numbers, object, threadIdx.x);
  values[threadIdx.x] = make_float4(pair.x, pair.y + colour.w, numbers.z, tex1Dfetch<short>(object, 1));
}

static void CUDART_CB finished(cudaStream_t, cudaError_t, void *) {}
static void CUDA_CB call(void *) {}

int main(int count, char **) {
  float *values;
  double start = 0;
  if (cudaMalloc(&values, 1024) != cudaSuccess) return 1;
  std::vector<float> input(256, 1.5f);
  cudaMemcpy(values, input.data(), 1024, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(table, input.data(), sizeof table);
  cudaMemcpyToSymbol(total, &start, sizeof start);
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  dim3 grid(4), block(64);
  apply<<<grid, block, 64 * sizeof(float), stream>>>(values, max(count, 256), Scale<float>{2});
  complexes<<<1, 32>>>((std::complex<float> *)values);
  cudaEventRecord(event, stream);
  cudaStreamAddCallback(stream, finished, NULL, 0);
  cuLaunchHostFunc(stream, call, NULL);
  int blocks, threads;
  cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, complexes);
  cudaFuncSetCacheConfig(complexes, cudaFuncCachePreferL1);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<float4>();
  size_t offset;
  cudaBindTexture(&offset, pairs, values, 1024);
  cudaBindTexture(NULL, &colours, values, &colours.channelDesc, 1024);
  cudaResourceDesc resource;
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = channels;
  resource.res.linear.sizeInBytes = 1024;
  cudaTextureDesc description = cudaTextureDesc();
  cudaTextureObject_t object;
  cudaCreateTextureObject(&object, &resource, &description, NULL);
  fetches<<<1, 64>>>((float4 *)values, object);
  cudaDestroyTextureObject(object);
  cudaUnbindTexture(pairs);
  CUdeviceptr address = 0;
  cuMemFree(address);
  std::cout << properties.name << channels.x << min(1.0f, 2.0f) << rsqrtf(4) << std::sqrt(2.0f) << threads << std::endl;
  return cudaDeviceSynchronize();
}
