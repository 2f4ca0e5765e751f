package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Data area of a guest, accessed at offsets from commands. The guest and the GPU may write to it
/// at any time. Confined to the poller.
final class GuestDataArea {
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MemorySegment memory;

    GuestDataArea(MemorySegment memory) {
        this.memory = memory;
    }

    /// Checks whether a range lies in the data area. Any offset is allowed.
    ///
    /// @param bytes length, at least 1
    /// @param alignment required alignment of the offset in bytes
    /// @return [CommandStatus#OK] if the range lies in the data area and is aligned
    CommandStatus check(long offset, long bytes, int alignment) {
        long size = memory.byteSize();
        if (offset < 0 || bytes > size || offset > size - bytes) {
            return CommandStatus.BAD_RANGE;
        }
        return offset % alignment == 0 ? CommandStatus.OK : CommandStatus.MISALIGNED;
    }

    /// Reads a word with acquire semantics: writes that precede the write of the word are visible.
    ///
    /// @param offset checked offset, a multiple of 4
    int word(long offset) {
        return (int) WORD.getAcquire(memory, offset);
    }

    /// Writes a 64-bit number.
    ///
    /// @param offset checked offset, a multiple of 8
    void put(long offset, long value) {
        memory.set(WireType.U64, offset, value);
    }
}
