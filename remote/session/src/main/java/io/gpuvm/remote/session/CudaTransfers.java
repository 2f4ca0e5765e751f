package io.gpuvm.remote.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;

/// Parts of the data area that a CUDA call reads and writes. `docs/cuda-calls.md` has the operands
/// of each call. An instance describes one call at a time.
final class CudaTransfers {
    /// Flags of a copy of a box: sides in the data area.
    private static final int SOURCE_IN_AREA = 1;

    private static final int DESTINATION_IN_AREA = 1 << 1;

    /// Range of GPU addresses at which the data area is mapped; empty before Connect.
    private long dataAddress;

    private long dataBytes;

    private final AreaBox input = new AreaBox();
    private final AreaBox output = new AreaBox();
    private boolean isLimitedByResult;
    private boolean isLate;

    private MemorySegment entry;
    private MemorySegment arguments;
    private long argumentBytes;
    private boolean isSpilled;

    /// Sets the range of GPU addresses of the data area.
    void mapArea(long address, long bytes) {
        dataAddress = address;
        dataBytes = bytes;
    }

    /// Returns the part that the call reads.
    AreaBox input() {
        return input;
    }

    /// Returns the part that the call writes.
    AreaBox output() {
        return output;
    }

    /// Returns whether the first result of the call is the number of bytes that it has written.
    boolean isLimitedByResult() {
        return isLimitedByResult;
    }

    /// Returns whether the call may be answered before the parts have been read and written, unless
    /// it has the flag [CudaOpcode#REPLY_AFTER_USE].
    boolean isLate() {
        return isLate;
    }

    /// Reads the parts of a call. The operands may have any value.
    ///
    /// @param call copy of the entry
    /// @param spilled memory that begins with a copy of the arguments of a spilled call
    /// @param spilledBytes length of the arguments, any multiple of 8
    void read(MemorySegment call, MemorySegment spilled, long spilledBytes) {
        entry = call;
        arguments = spilled;
        argumentBytes = spilledBytes;
        int tag = call.get(WireType.U32, CudaEntry.TAG);
        isSpilled = (CudaEntry.flagsOf(tag) & CudaOpcode.SPILLED) != 0;
        input.clear();
        output.clear();
        isLimitedByResult = false;
        isLate = false;
        switch (CudaEntry.opcodeOf(tag)) {
            case CudaOpcode.CONNECT -> {
                limited(word(0), word(1));
                mapArea(word(5), dataBytes);
            }
            case CudaOpcode.MODULE_LOAD_DATA -> {
                input.set(word(2), word(3));
                limited(word(4), word(5));
            }
            case CudaOpcode.PTX_LINK -> {
                input.set(word(1), word(2));
                limited(word(3), word(4));
            }
            case CudaOpcode.TAKE_REPORTS -> limited(word(0), word(1));
            case CudaOpcode.MEMCPY_HTOD_ASYNC -> {
                isLate = true;
                input.set(word(1), word(2));
                address(output, word(0), word(2));
            }
            case CudaOpcode.MEMCPY_DTOH -> toHost();
            case CudaOpcode.MEMCPY_DTOH_ASYNC -> {
                isLate = true;
                toHost();
            }
            case CudaOpcode.MEMCPY_DTOD_ASYNC -> {
                isLate = true;
                address(output, word(0), word(2));
                address(input, word(1), word(2));
            }
            case CudaOpcode.MEMCPY3D -> box();
            case CudaOpcode.MEMCPY3D_ASYNC -> {
                isLate = true;
                box();
            }
            case CudaOpcode.MEMSET_D8_ASYNC -> fill(Byte.BYTES);
            case CudaOpcode.MEMSET_D16_ASYNC -> fill(Short.BYTES);
            case CudaOpcode.MEMSET_D32_ASYNC -> fill(Integer.BYTES);
            default -> {
                // The call uses no data area.
            }
        }
    }

    private void limited(long offset, long capacity) {
        output.set(offset, capacity);
        isLimitedByResult = true;
    }

    private void toHost() {
        output.set(word(0), word(2));
        address(input, word(1), word(2));
    }

    private void fill(int elementBytes) {
        isLate = true;
        long count = word(2);
        if (count >= 0 && count <= dataBytes / elementBytes) {
            address(output, word(0), count * elementBytes);
        }
    }

    private void box() {
        int places = (int) word(1);
        if ((places & SOURCE_IN_AREA) != 0) {
            side(input, word(2), word(4), word(5));
        }
        if ((places & DESTINATION_IN_AREA) != 0) {
            side(output, word(3), word(6), word(7));
        }
    }

    private void side(AreaBox box, long start, long pitch, long sliceRows) {
        long width = word(8);
        long height = word(9);
        long depth = word(10);
        boolean hasSlices = depth > 1 && Math.multiplyHigh(pitch, sliceRows) == 0;
        box.set(start, width, height, depth, pitch, hasSlices ? pitch * sliceRows : width);
    }

    /// Makes a box a range of GPU addresses, if the data area contains all of it.
    private void address(AreaBox box, long address, long bytes) {
        long offset = address - dataAddress;
        if (dataAddress != 0 && offset >= 0 && offset < dataBytes && bytes <= dataBytes - offset) {
            box.set(offset, bytes);
        }
    }

    /// Returns an operand; 0 if the arguments are too short, so that the backend refuses the call.
    private long word(int index) {
        if (!isSpilled) {
            return entry.get(WireType.U64, CudaEntry.OPERANDS + (long) index * Long.BYTES);
        }
        if (index < CudaEntry.SPILLED_WORDS) {
            return entry.get(WireType.U64, CudaEntry.SPILLED_OPERANDS + (long) index * Long.BYTES);
        }
        long at = (long) (index - CudaEntry.SPILLED_WORDS) * Long.BYTES;
        return at + Long.BYTES <= argumentBytes ? arguments.get(WireType.U64, at) : 0;
    }
}
