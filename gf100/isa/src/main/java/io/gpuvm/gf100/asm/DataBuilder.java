package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.ConstantSection;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Builds the contents of a constant bank in the order of the source.
final class DataBuilder {
    /// Name of an offset in the bank.
    record Label(String name, int offset) {}

    private final int bank;
    private final List<Label> labels = new ArrayList<>();
    private ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    DataBuilder(int bank) {
        this.bank = bank;
    }

    int bank() {
        return bank;
    }

    int offset() {
        return bytes.position();
    }

    List<Label> labels() {
        return labels;
    }

    void label(String name) {
        labels.add(new Label(name, offset()));
    }

    /// Appends the lowest bytes of a number.
    void put(Token token, long value, int count) {
        reserve(token, count);
        for (int i = 0; i < count; i++) {
            bytes.put((byte) (value >>> i * Byte.SIZE));
        }
    }

    void space(Token token, long count) {
        if (count < 0 || count > ConstantSection.BYTES) {
            throw new SourceException(token, "bytes=" + count + ", limit=" + ConstantSection.BYTES);
        }
        reserve(token, (int) count);
        bytes.position(offset() + (int) count);
    }

    private void reserve(Token token, int count) {
        int end = offset() + count;
        if (end > ConstantSection.BYTES) {
            throw new SourceException(
                    token, "bank " + bank + ": bytes=" + end + ", limit=" + ConstantSection.BYTES);
        }
        if (end > bytes.capacity()) {
            byte[] more = Arrays.copyOf(bytes.array(), Math.max(end, 2 * bytes.capacity()));
            bytes = ByteBuffer.wrap(more).position(offset()).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    ConstantSection build() {
        return new ConstantSection(
                bank, MemorySegment.ofArray(Arrays.copyOf(bytes.array(), offset())));
    }
}
