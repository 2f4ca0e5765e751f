package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// Constant buffers of one object of 3D or compute, as set by the methods of [ConstantMethods]: the
/// current buffer, the words written to it, and the buffers that the stages have bound.
///
/// A bound buffer retains the address and size that it had when it was bound. Words are written
/// directly to memory, so later reads of a bank through the page tables return the words. Confined
/// to the engine thread.
final class ConstantBuffers {
    private static final BitField ADDRESS_HIGH_BITS = BitField.bits(7, 0);
    private static final long LOW_MASK = (1L << Integer.SIZE) - 1;

    private final VirtualMemory memory;
    private final long[] addresses;
    private final int[] sizes;

    private long bufferGpuVa;
    private int bufferBytes;
    private int position;

    /// @param stages number of stages of the class; each has a set of bindings
    ConstantBuffers(VirtualMemory memory, int stages) {
        this.memory = memory;
        addresses = new long[stages * ConstantMethods.BANKS];
        sizes = new int[stages * ConstantMethods.BANKS];
    }

    /// Returns whether [#method] can execute a method.
    static boolean has(int method) {
        return method >= ConstantMethods.SIZE && method <= ConstantMethods.DATA_LAST;
    }

    /// Executes a method. Throws [io.gpuvm.softgpu.mmu.MmuFault] if the page tables refuse a word;
    /// the word then does not count as written.
    ///
    /// @param method method for which [#has(int)] is true
    /// @return 0, or an error code of [GraphError]
    int method(int method, int data) {
        switch (method) {
            case ConstantMethods.SIZE -> {
                if (data < 0 || data > ConstantMethods.MAX_BYTES) {
                    return GraphError.CODE_INVALID_VALUE;
                }
                bufferBytes = data;
            }
            case ConstantMethods.ADDRESS_HIGH -> {
                long high = ADDRESS_HIGH_BITS.get(data);
                bufferGpuVa = bufferGpuVa & LOW_MASK | high << Integer.SIZE;
            }
            case ConstantMethods.ADDRESS_LOW -> {
                if (data % ConstantMethods.ALIGNMENT_BYTES != 0) {
                    return GraphError.CODE_INVALID_VALUE;
                }
                bufferGpuVa = bufferGpuVa & ~LOW_MASK | Integer.toUnsignedLong(data);
            }
            case ConstantMethods.POSITION -> {
                if (data < 0 || data > ConstantMethods.MAX_BYTES || data % Integer.BYTES != 0) {
                    return GraphError.CODE_INVALID_VALUE;
                }
                position = data;
            }
            default -> {
                return write(data);
            }
        }
        return 0;
    }

    /// Binds the current buffer, or removes a binding.
    ///
    /// @param stage stage, from 0
    /// @param index number of the bank, at least 0
    /// @return 0, or an error code of [GraphError]
    int bind(int stage, int index, boolean valid) {
        if (index >= ConstantMethods.BANKS) {
            return GraphError.CODE_INVALID_VALUE;
        }
        int binding = stage * ConstantMethods.BANKS + index;
        addresses[binding] = bufferGpuVa;
        sizes[binding] = valid ? bufferBytes : 0;
        return 0;
    }

    /// Returns the address of a bound buffer.
    long gpuVa(int stage, int index) {
        return addresses[stage * ConstantMethods.BANKS + index];
    }

    /// Returns the size of a bound buffer in bytes; 0 if none is bound.
    int bytes(int stage, int index) {
        return sizes[stage * ConstantMethods.BANKS + index];
    }

    private int write(int word) {
        if (position + Integer.BYTES > bufferBytes) {
            return GraphError.CODE_INVALID_VALUE;
        }
        memory.write(VirtualMemory.wrap(bufferGpuVa + position), Integer.BYTES, word);
        position += Integer.BYTES;
        return 0;
    }
}
