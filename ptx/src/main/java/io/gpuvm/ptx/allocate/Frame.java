package io.gpuvm.ptx.allocate;

import io.gpuvm.ptx.ir.IrOperand;

/// Local memory of a function under compilation. Confined to the compilation's thread.
public final class Frame {
    private final IrOperand base;
    private int bytes;
    private int spillBytes;

    /// @param base register with the address of the frame, or zero if the frame is at address 0
    /// @param bytes size of the frame so far
    public Frame(IrOperand base, int bytes) {
        this.base = base;
        this.bytes = bytes;
    }

    /// Returns the register with the address of the frame, or zero.
    public IrOperand base() {
        return base;
    }

    /// Returns the size in bytes.
    public int bytes() {
        return bytes;
    }

    /// Returns the number of bytes for spilled values.
    public int spillBytes() {
        return spillBytes;
    }

    /// Allocates memory, aligned to its size, and returns its offset.
    public int allocate(int size) {
        int at = (bytes + size - 1) / size * size;
        bytes = at + size;
        return at;
    }

    int spill(int size) {
        spillBytes += size;
        return allocate(size);
    }
}
