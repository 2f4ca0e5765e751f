package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Exported;
import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Memory exported by a device, mapped as in another process.
final class ForeignView implements AutoCloseable {
    private final MappedMemory mapping;

    ForeignView(Exported exported) {
        mapping =
                MappedMemory.map(
                        exported.descriptor(),
                        exported.offset(),
                        exported.bytes(),
                        MappedMemory.Access.READ_WRITE);
    }

    MemorySegment memory() {
        return mapping.segment();
    }

    int word(long offset) {
        return memory().get(ValueLayout.JAVA_INT, offset);
    }

    void word(long offset, int value) {
        memory().set(ValueLayout.JAVA_INT, offset, value);
    }

    @Override
    public void close() {
        mapping.close();
    }
}
