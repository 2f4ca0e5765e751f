/// Benchmarks of ways to access a warp's registers; compiled kernels use the fastest.
package io.gpuvm.softgpu.sm.compiler;
