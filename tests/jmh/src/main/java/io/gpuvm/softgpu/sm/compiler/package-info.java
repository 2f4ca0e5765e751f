/// Benchmarks of access to a warp's registers. Compiled kernels use the fastest variant.
package io.gpuvm.softgpu.sm.compiler;
