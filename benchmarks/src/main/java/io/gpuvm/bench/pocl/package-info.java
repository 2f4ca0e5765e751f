/// The software GPU beside PoCL, which runs OpenCL on the processors of the host: the same kernels,
/// on the same data.
package io.gpuvm.bench.pocl;
