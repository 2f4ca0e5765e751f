/// Streaming multiprocessor: executes Fermi machine code, one block of threads at a time.
///
/// Entry points for other packages: a [io.gpuvm.softgpu.sm.Launch] describes the work, and an
/// [io.gpuvm.softgpu.sm.Sm] runs blocks of it and stops when a [io.gpuvm.softgpu.sm.Safepoint]
/// requests it.
package io.gpuvm.softgpu.sm;
