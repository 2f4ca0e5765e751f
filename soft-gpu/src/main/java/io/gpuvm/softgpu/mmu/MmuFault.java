package io.gpuvm.softgpu.mmu;

import io.gpuvm.gf100.mmu.FaultReason;

/// Access that the page tables refused. Thrown from deep inside an engine to the code that knows
/// the channel. The exception has no stack trace and is reused by the address space that throws it,
/// so it costs no more than a jump.
public final class MmuFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private FaultReason reason;
    private long gpuVa;
    private boolean write;

    MmuFault() {
        super(null, null, false, false);
    }

    MmuFault at(FaultReason reason, long gpuVa, boolean write) {
        this.reason = reason;
        this.gpuVa = gpuVa;
        this.write = write;
        return this;
    }

    public FaultReason reason() {
        return reason;
    }

    /// Returns the virtual address of the access.
    public long gpuVa() {
        return gpuVa;
    }

    public boolean isWrite() {
        return write;
    }

    @Override
    public String getMessage() {
        return "%s address=%#x: %s".formatted(write ? "write to" : "read from", gpuVa, reason);
    }
}
