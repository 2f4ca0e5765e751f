/// Comparison of the software GPU with PoCL, which runs OpenCL on the host's processors: the same
/// kernels on the same data.
package io.gpuvm.bench.pocl;
