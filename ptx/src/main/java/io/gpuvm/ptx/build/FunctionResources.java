package io.gpuvm.ptx.build;

/// Resources of a kernel or function.
///
/// @param registers general registers of a thread
/// @param sharedBytes bytes of shared memory of a block
/// @param constantBytes bytes of constant memory, with the parameters
/// @param localBytes bytes of local memory of a thread, with the stack frame
/// @param spillBytes bytes of local memory for registers
/// @param spillStoreBytes bytes that the instructions that save registers store, each counted once
/// @param spillLoadBytes bytes that the instructions that restore registers load, each counted once
/// @param frameBytes bytes of the stack frame
public record FunctionResources(
        String name,
        boolean kernel,
        int registers,
        int sharedBytes,
        int constantBytes,
        int localBytes,
        int spillBytes,
        int spillStoreBytes,
        int spillLoadBytes,
        int frameBytes) {}
