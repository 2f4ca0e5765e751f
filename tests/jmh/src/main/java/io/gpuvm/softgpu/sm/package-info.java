/// Benchmarks of the execution of machine code.
///
/// Entry points: [io.gpuvm.softgpu.sm.KernelBench], and JMH's.
package io.gpuvm.softgpu.sm;
