/// Streaming multiprocessor: executes Fermi machine code, one block of threads at a time.
///
/// Entry points for other packages: a [io.gpuvm.softgpu.sm.Launch] describes a launch, and an
/// [io.gpuvm.softgpu.sm.Sm] runs blocks of the launch and stops at the request of a
/// [io.gpuvm.softgpu.sm.Safepoint].
package io.gpuvm.softgpu.sm;
