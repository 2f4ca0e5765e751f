package io.gpuvm.pv.runtime;

import io.gpuvm.ptx.assertion.AssertionBuffer;
import io.gpuvm.ptx.assertion.FailedAssertion;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.module.ModuleVariable;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Buffer for the failed assertions of a context's kernels, in memory of the host, so that it is
/// readable after the failure. Allocated with the first module that contains assertions; ends with
/// the context. Any thread.
final class Assertions {
    private static final long NONE = -1;

    private static final ValueLayout.OfLong ADDRESS =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Memories memories;

    /// Memory of the buffer; null before the first module with assertions.
    private HostMemory memory;

    Assertions(Memories memories) {
        this.memories = memories;
    }

    /// Allocates the buffer if a module needs it.
    ///
    /// @throws GpuException [GpuError#OUT_OF_MEMORY] if not enough memory is left
    synchronized void prepare(ModuleImage image) {
        if (memory == null && offsetOfAddress(image) != NONE) {
            memory = memories.takeHost(AssertionBuffer.BYTES);
        }
    }

    /// Sets the buffer's address in the contents of a module. Called after [#prepare].
    void connect(ModuleImage image, byte[] contents) {
        long offset = offsetOfAddress(image);
        if (offset != NONE) {
            MemorySegment.ofArray(contents).set(ADDRESS, offset, gpuVa());
        }
    }

    private synchronized long gpuVa() {
        return memory.gpuVa();
    }

    /// Returns the assertions that have failed.
    synchronized List<FailedAssertion> failed() {
        return memory == null ? List.of() : new AssertionBuffer(memory.segment()).read();
    }

    /// Returns the offset of the buffer's address in the contents of a module; [#NONE] if the
    /// module contains no assertions.
    private static long offsetOfAddress(ModuleImage image) {
        for (ModuleVariable variable : image.variables()) {
            if (variable.name().equals(AssertionBuffer.SYMBOL)
                    && variable.bytes() == AssertionBuffer.SYMBOL_BYTES
                    && variable.offset() <= image.contentsBytes() - variable.bytes()) {
                return variable.offset();
            }
        }
        return NONE;
    }
}
