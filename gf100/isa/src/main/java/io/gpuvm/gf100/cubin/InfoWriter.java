package io.gpuvm.gf100.cubin;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Writes attributes in sequence.
final class InfoWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void words(InfoAttribute attribute, int... words) {
        ByteBuffer record = record(InfoFormat.SIZED, attribute, words.length * Integer.BYTES);
        for (int word : words) {
            record.putInt(word);
        }
        bytes.writeBytes(record.array());
    }

    void halfWord(InfoAttribute attribute, int value) {
        ByteBuffer record = record(InfoFormat.HALF_WORD, attribute, 0);
        record.putShort(2, (short) value);
        bytes.writeBytes(record.array());
    }

    private static ByteBuffer record(InfoFormat format, InfoAttribute attribute, int more) {
        return ByteBuffer.allocate(Integer.BYTES + more)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) format.code)
                .put((byte) attribute.number())
                .putShort((short) more);
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
