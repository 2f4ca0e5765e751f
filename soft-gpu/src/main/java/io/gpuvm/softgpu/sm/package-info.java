/// A streaming multiprocessor: executes Fermi machine code, one block of threads at a time.
///
/// From outside: a [io.gpuvm.softgpu.sm.Launch] says what is to run, an [io.gpuvm.softgpu.sm.Sm]
/// runs blocks of it and stops where a [io.gpuvm.softgpu.sm.Safepoint] tells it to.
package io.gpuvm.softgpu.sm;
