package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Private copy of the arguments of a spilled call, used again for each call.
final class CallArguments {
    private static final long ALIGNMENT_MASK = Long.BYTES - 1;

    private final DataArea area;
    private final MemorySegment memory =
            Arena.ofAuto().allocate(CudaOpcode.MAX_ARGUMENT_BYTES, Long.BYTES);

    /// Parts of the memory at [#cachedOffset] by length, so that launches allocate none.
    private final MemorySegment[] parts = new MemorySegment[CudaOpcode.MAX_ARGUMENT_BYTES + 1];

    private long cachedOffset;
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

    /// Returns a part of the copy. Does not allocate if earlier parts had the same offset and one
    /// of them this length.
    MemorySegment part(long offset, int length) {
        if (offset != cachedOffset) {
            cachedOffset = offset;
            Arrays.fill(parts, null);
        }
        if (parts[length] == null) {
            parts[length] = memory.asSlice(offset, length);
        }
        return parts[length];
    }
}
