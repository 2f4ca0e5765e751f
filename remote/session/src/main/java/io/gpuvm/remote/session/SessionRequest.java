package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Request for a session, the content of a link's hello: the `Hello` of the program.
final class SessionRequest {
    private SessionRequest() {}

    /// Returns the content for a program's message.
    static byte[] of(Hello hello) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Hello.BYTES, Long.BYTES);
            hello.write(message);
            return message.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /// Reads the content.
    ///
    /// @return the program's message; null if it is not one
    static Hello read(byte[] content) {
        if (content.length != Hello.BYTES) {
            return null;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocate(Hello.BYTES, WireType.U64.byteAlignment());
            MemorySegment.copy(content, 0, message, ValueLayout.JAVA_BYTE, 0, content.length);
            return Hello.read(message);
        }
    }
}
