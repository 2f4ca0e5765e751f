package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A guest's data area, as far as commands name places in it. The guest and the GPU write there at
/// any time. Confined to the poller.
final class GuestDataArea {
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment memory;

    GuestDataArea(MemorySegment memory) {
        this.memory = memory;
    }

    /// Whether a range lies in it. Any offset may be asked.
    ///
    /// @param bytes at least 1
    /// @param alignment what the offset must be a multiple of
    /// @return [CommandStatus#OK] if it does
    CommandStatus check(long offset, long bytes, int alignment) {
        long size = memory.byteSize();
        if (offset < 0 || bytes > size || offset > size - bytes) {
            return CommandStatus.BAD_RANGE;
        }
        return offset % alignment == 0 ? CommandStatus.OK : CommandStatus.MISALIGNED;
    }

    /// What a word holds; what was written before it is visible then.
    ///
    /// @param offset a multiple of 4 that was checked
    int word(long offset) {
        return (int) WORD.getAcquire(memory, offset);
    }

    /// Writes a number.
    ///
    /// @param offset a multiple of 8 that was checked
    void put(long offset, long value) {
        memory.set(WireType.U64, offset, value);
    }
}
