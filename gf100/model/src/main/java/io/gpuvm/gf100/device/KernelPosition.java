package io.gpuvm.gf100.device;

/// Position of a kernel's thread when the kernel failed or was stopped, as a software GPU knows it.
/// Hardware does not report it.
///
/// @param codeGpuVa address of the launch's code segment
/// @param entry offset of the kernel's first instruction in the code segment, in bytes
/// @param offset offset of the thread's instruction in the code segment, in bytes
/// @param block position of the thread's block in the grid
/// @param thread position of the thread in its block
public record KernelPosition(
        long codeGpuVa, int entry, long offset, GridIndex block, GridIndex thread) {}
