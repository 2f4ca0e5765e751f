// Computes y = a * x + y on the GPU, and compares the result with the processor's.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

static bool failed(cudaError_t error, const char *call) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
  return error != cudaSuccess;
}

int main() {
  const int n = 1 << 20;
  const float a = 2;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = i % 1000;
    y[i] = 1;
  }

  float *deviceX, *deviceY;
  const size_t bytes = n * sizeof(float);
  if (failed(cudaMalloc(&deviceX, bytes), "cudaMalloc") || failed(cudaMalloc(&deviceY, bytes), "cudaMalloc")) return 1;
  cudaMemcpy(deviceX, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(deviceY, y.data(), bytes, cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(n, a, deviceX, deviceY);
  if (failed(cudaMemcpy(y.data(), deviceY, bytes, cudaMemcpyDeviceToHost), "saxpy")) return 1;
  cudaFree(deviceX);
  cudaFree(deviceY);

  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += y[i] != a * x[i] + 1;
  std::printf("saxpy: elements=%d, wrong=%d\n", n, wrong);
  return wrong != 0;
}
