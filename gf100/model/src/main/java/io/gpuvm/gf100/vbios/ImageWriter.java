package io.gpuvm.gf100.vbios;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Writer of little-endian fields of an image, at offsets relative to the start of a table.
final class ImageWriter {
    private final ByteBuffer image;
    private int table;

    ImageWriter(int bytes) {
        image = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Starts a table: subsequent offsets are relative to its start.
    ImageWriter at(int tableOffset) {
        table = tableOffset;
        return this;
    }

    ImageWriter u8(int offset, int value) {
        image.put(table + offset, (byte) value);
        return this;
    }

    ImageWriter u16(int offset, int value) {
        image.putShort(table + offset, (short) value);
        return this;
    }

    ImageWriter u32(int offset, int value) {
        image.putInt(table + offset, value);
        return this;
    }

    ImageWriter ascii(int offset, String text) {
        image.put(table + offset, text.getBytes(StandardCharsets.US_ASCII));
        return this;
    }

    /// Returns the checksum byte that makes the sum of `[start, start + bytes)` a multiple of 256.
    /// The range must hold a zero at the byte's position.
    int checksum(int start, int bytes) {
        int sum = 0;
        for (int i = start; i < start + bytes; i++) {
            sum += image.get(i);
        }
        return -sum & 0xff;
    }

    byte[] toBytes() {
        return image.array().clone();
    }
}
