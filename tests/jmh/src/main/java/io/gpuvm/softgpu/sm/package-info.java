/// Benchmarks of executing machine code.
///
/// From outside: [io.gpuvm.softgpu.sm.KernelBench], and JMH's.
package io.gpuvm.softgpu.sm;
