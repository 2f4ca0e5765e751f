package io.gpuvm.cuda.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Request to compile PTX and to link modules. The client writes it into the data area.
///
/// ```text
///    0  maximum number of registers 32, 0 for no limit     4  level of optimization 32
///    8  flags 32                                           12  number of inputs 32
///   16  inputs, each: bytes of the image 64, bytes of the name 64, name, image; name and image are
///       padded to a multiple of 8 bytes
/// ```
///
/// @param maxRegisters maximum number of registers of a thread; 0 for no limit
/// @param optimization level of optimization; 0 for none
/// @param isVerbose whether the response describes the resources of all functions
/// @param inputs images to compile and to link, at least one
public record LinkRequest(
        int maxRegisters, int optimization, boolean isVerbose, List<Input> inputs) {
    /// Maximum number of inputs.
    public static final int MAX_INPUTS = 1024;

    /// Maximum length of the name of an input in bytes. Messages repeat the name.
    public static final int MAX_NAME_BYTES = 4096;

    /// Flag of a request for a description of the resources.
    private static final int VERBOSE = 1;

    private static final int HEADER_BYTES = 16;
    private static final int INPUT_BYTES = 16;
    private static final int ALIGNMENT = Long.BYTES;

    /// Image of a module: PTX, a cubin or a fatbin.
    ///
    /// @param name name for messages
    public record Input(String name, byte[] image) {}

    public LinkRequest {
        inputs = List.copyOf(inputs);
    }

    /// Returns the request in the form of the protocol.
    public byte[] toBytes() {
        int bytes = HEADER_BYTES;
        for (Input input : inputs) {
            bytes += INPUT_BYTES + padded(utf8(input).length) + padded(input.image.length);
        }
        ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        target.putInt(maxRegisters).putInt(optimization);
        target.putInt(isVerbose ? VERBOSE : 0).putInt(inputs.size());
        for (Input input : inputs) {
            byte[] name = utf8(input);
            target.putLong(input.image.length).putLong(name.length);
            put(target, name);
            put(target, input.image);
        }
        return target.array();
    }

    private static byte[] utf8(Input input) {
        return input.name.getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ByteBuffer target, byte[] bytes) {
        int end = target.position() + padded(bytes.length);
        target.put(bytes).position(end);
    }

    /// Reads a request.
    ///
    /// @param bytes request, which no other thread changes
    /// @throws IllegalArgumentException if it violates the form; the message names the value
    public static LinkRequest read(byte[] bytes) {
        ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEADER_BYTES) {
            throw new IllegalArgumentException(
                    "request bytes=%d, expected at least %d".formatted(bytes.length, HEADER_BYTES));
        }
        int registers = source.getInt();
        int optimization = source.getInt();
        int flags = source.getInt();
        int count = source.getInt();
        if (count < 1 || count > MAX_INPUTS) {
            throw new IllegalArgumentException(
                    "inputs=%d, expected 1 to %d"
                            .formatted(Integer.toUnsignedLong(count), MAX_INPUTS));
        }
        List<Input> inputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            inputs.add(readInput(source));
        }
        return new LinkRequest(registers, optimization, (flags & VERBOSE) != 0, inputs);
    }

    private static Input readInput(ByteBuffer source) {
        if (source.remaining() < INPUT_BYTES) {
            throw new IllegalArgumentException(
                    "bytes before an input=%d, expected at least %d"
                            .formatted(source.remaining(), INPUT_BYTES));
        }
        long imageBytes = source.getLong();
        long nameBytes = source.getLong();
        if (nameBytes < 0 || nameBytes > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name bytes=%s, limit=%d"
                            .formatted(Long.toUnsignedString(nameBytes), MAX_NAME_BYTES));
        }
        byte[] name = take(source, "name", nameBytes);
        byte[] image = take(source, "image", imageBytes);
        return new Input(new String(name, StandardCharsets.UTF_8), image);
    }

    private static byte[] take(ByteBuffer source, String part, long bytes) {
        if (bytes < 0 || bytes > source.remaining() || padded((int) bytes) > source.remaining()) {
            throw new IllegalArgumentException(
                    "%s bytes=%s, limit=%d"
                            .formatted(part, Long.toUnsignedString(bytes), source.remaining()));
        }
        byte[] taken = new byte[(int) bytes];
        int end = source.position() + padded((int) bytes);
        source.get(taken).position(end);
        return taken;
    }

    private static int padded(int bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
