package io.gpuvm.tests.cuda;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;

/// Completion of a call.
///
/// @param number number of the call
/// @param status status of the call, a value of [io.gpuvm.cuda.protocol.CudaStatus]
/// @param failed failed call without reply, a word of [FailedCall]
/// @param retired number that the backend had published as retired before the completion was read
/// @param entry copy of the entry, for `read` of the records in [io.gpuvm.cuda.protocol.CudaReply]
public record CudaCompletion(
        long number, int status, long failed, long retired, MemorySegment entry) {
    static CudaCompletion of(MemorySegment entry, long retired) {
        MemorySegment copy = MemorySegment.ofArray(new long[CudaEntry.BYTES / Long.BYTES]);
        copy.copyFrom(entry);
        return new CudaCompletion(
                copy.get(WireType.U64, CudaEntry.NUMBER),
                copy.get(WireType.U32, CudaEntry.TAG),
                copy.get(WireType.U64, CudaEntry.FAILED),
                retired,
                copy);
    }

    /// Returns a result.
    ///
    /// @param index index of the result, 0 to 4
    public long result(int index) {
        return entry.get(WireType.U64, CudaEntry.RESULTS + (long) index * Long.BYTES);
    }
}
