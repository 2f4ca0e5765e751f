/// Benchmarks of the execution of machine code.
///
/// Entry points: [io.gpuvm.softgpu.sm.KernelBench], and the main class of JMH.
package io.gpuvm.softgpu.sm;
