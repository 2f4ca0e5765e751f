package io.gpuvm.remote.session;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.ring.SharedArea;
import java.lang.foreign.MemorySegment;

/// Shared area of a program, as the backend has granted it.
final class ProgramArea implements AutoCloseable {
    private final MemFd file;
    private final MappedMemory mapping;
    private final SharedArea area;

    /// @param header header of the area, of which the first [AreaHeader#USED_BYTES] are read
    /// @throws IllegalArgumentException if the header is invalid
    /// @throws LinuxException if Linux refuses the memory
    ProgramArea(MemorySegment header, RingProtocol protocol) {
        AreaLayout layout = AreaHeader.layoutOf(header, protocol);
        file = MemFd.createSealed("gpuvm-connect", layout.bytes());
        try {
            mapping =
                    MappedMemory.map(
                            file.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
        } catch (RuntimeException | Error e) {
            file.close();
            throw e;
        }
        area = SharedArea.create(mapping.segment(), protocol, layout, AreaHeader.limits(header));
    }

    SharedArea area() {
        return area;
    }

    /// Returns the descriptor of the memory.
    int descriptor() {
        return file.descriptor();
    }

    /// Releases the memory even if the program keeps its descriptor or mapping.
    @Override
    public void close() {
        try {
            file.punchHole(0, area.layout().bytes());
        } finally {
            mapping.close();
            file.close();
        }
    }
}
