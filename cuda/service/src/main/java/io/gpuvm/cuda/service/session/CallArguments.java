package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Private copy of the arguments of a spilled call, used again for each call.
final class CallArguments {
    private static final long ALIGNMENT_MASK = Long.BYTES - 1;

    private final DataArea area;
    private final MemorySegment memory =
            Arena.ofAuto().allocate(CudaOpcode.MAX_ARGUMENT_BYTES, Long.BYTES);

    /// Number of parts that are retained, a power of two.
    private static final int PARTS = 64;

    /// Recent parts of the memory, so that repeated launches allocate none.
    private final MemorySegment[] parts = new MemorySegment[PARTS];

    /// Offsets of [#parts].
    private final long[] offsets = new long[PARTS];

    private long bytes;

    CallArguments(DataArea area) {
        this.area = area;
    }

    /// Copies the arguments of a call.
    ///
    /// @param entry private copy of the entry
    /// @return whether offset and length are valid
    boolean copy(MemorySegment entry) {
        long offset = entry.get(WireType.U64, CudaEntry.OPERANDS);
        bytes = entry.get(WireType.U64, CudaEntry.ARGUMENT_BYTES);
        if (bytes < 0
                || bytes > CudaOpcode.MAX_ARGUMENT_BYTES
                || ((offset | bytes) & ALIGNMENT_MASK) != 0
                || !area.contains(offset, bytes)) {
            return false;
        }
        area.copy(offset, memory, bytes);
        return true;
    }

    /// Returns the copy; valid up to [#bytes()].
    MemorySegment memory() {
        return memory;
    }

    /// Returns the length of the arguments of the call that was copied last.
    long bytes() {
        return bytes;
    }

    /// Returns a part of the copy. Does not allocate if a recent part had the same offset and
    /// length.
    MemorySegment part(long offset, int length) {
        int at = length / Integer.BYTES & PARTS - 1;
        MemorySegment recent = parts[at];
        if (recent == null || recent.byteSize() != length || offsets[at] != offset) {
            recent = memory.asSlice(offset, length);
            parts[at] = recent;
            offsets[at] = offset;
        }
        return recent;
    }
}
