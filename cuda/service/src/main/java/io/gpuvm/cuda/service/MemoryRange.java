package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.DeviceMemory;

/// Memory that a client may name in copies and fills.
///
/// @param context context of the memory
/// @param address start address
/// @param memory memory
/// @param isAllocation whether the client may free the memory; false for a module's variable
record MemoryRange(
        ExecutorContext context, long address, DeviceMemory memory, boolean isAllocation) {
    /// Returns whether an address lies in the memory.
    boolean contains(long other) {
        return other >= address && other - address < memory.bytes();
    }
}
