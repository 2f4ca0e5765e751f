// Creates a context, loads the program's module, launches one kernel without effect, and ends: the least that a CUDA program does.
#include <cuda_runtime.h>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
