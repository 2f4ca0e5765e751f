package io.gpuvm.cuda.protocol;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Response to a [LinkRequest]. The backend writes it into the data area.
///
/// ```text
///    0  bytes of the cubin 64       8  bytes of the messages 64
///   16  bytes of the errors 64     24  time in nanoseconds 64
///   32  cubin; messages, errors: UTF-8; each part is padded to a multiple of 8 bytes
/// ```
///
/// @param cubin module; empty after an error
/// @param messages warnings and, if requested, resources of the functions
/// @param errors errors of the sources; empty if the module was linked
/// @param nanoseconds time of compilation and linking
public record LinkResponse(byte[] cubin, String messages, String errors, long nanoseconds) {
    private static final int HEADER_BYTES = 32;
    private static final int ALIGNMENT = Long.BYTES;

    /// Returns the response in the form of the protocol.
    public byte[] toBytes() {
        byte[] first = messages.getBytes(StandardCharsets.UTF_8);
        byte[] second = errors.getBytes(StandardCharsets.UTF_8);
        int bytes =
                HEADER_BYTES + padded(cubin.length) + padded(first.length) + padded(second.length);
        ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        target.putLong(cubin.length).putLong(first.length).putLong(second.length);
        target.putLong(nanoseconds);
        put(target, cubin);
        put(target, first);
        put(target, second);
        return target.array();
    }

    private static void put(ByteBuffer target, byte[] bytes) {
        int end = target.position() + padded(bytes.length);
        target.put(bytes).position(end);
    }

    /// Reads a response.
    ///
    /// @param source memory that begins with a response
    /// @throws IndexOutOfBoundsException if the memory is shorter than the response
    public static LinkResponse read(MemorySegment source) {
        ByteBuffer bytes = source.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        int cubin = Math.toIntExact(bytes.getLong(0));
        int messages = Math.toIntExact(bytes.getLong(Long.BYTES));
        int errors = Math.toIntExact(bytes.getLong(2 * Long.BYTES));
        int at = HEADER_BYTES;
        int afterCubin = at + padded(cubin);
        int afterMessages = afterCubin + padded(messages);
        return new LinkResponse(
                take(bytes, at, cubin),
                new String(take(bytes, afterCubin, messages), StandardCharsets.UTF_8),
                new String(take(bytes, afterMessages, errors), StandardCharsets.UTF_8),
                bytes.getLong(3 * Long.BYTES));
    }

    private static byte[] take(ByteBuffer bytes, int at, int length) {
        byte[] taken = new byte[length];
        bytes.get(at, taken);
        return taken;
    }

    private static int padded(int bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
