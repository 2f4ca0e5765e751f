/// Benchmarks of executing machine code.
package io.gpuvm.softgpu.sm;
