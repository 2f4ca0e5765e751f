package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Memory to which commands are written in sequence.
///
/// Writing commands allocates nothing. A write past the end of the memory throws
/// [IndexOutOfBoundsException]. One thread at a time.
public final class PushBuffer {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private long at;

    /// @param memory memory, aligned to 4 bytes
    public PushBuffer(MemorySegment memory) {
        this.memory = memory;
    }

    /// Moves the position of the next word to `offset`, a multiple of 4.
    public PushBuffer moveTo(long offset) {
        at = offset;
        return this;
    }

    /// Returns the position of the next word, in bytes.
    public long position() {
        return at;
    }

    /// Writes a literal word.
    public PushBuffer word(int word) {
        memory.set(U32, at, word);
        at += Integer.BYTES;
        return this;
    }

    /// Writes bytes as words; pads the last word with zeros.
    ///
    /// @param bytes number of bytes
    public PushBuffer bytes(byte[] source, int from, int bytes) {
        int whole = bytes & -Integer.BYTES;
        MemorySegment.copy(source, from, memory, ValueLayout.JAVA_BYTE, at, whole);
        at += whole;
        if (whole < bytes) {
            int last = 0;
            for (int i = whole; i < bytes; i++) {
                last |= Byte.toUnsignedInt(source[from + i]) << (i - whole) * Byte.SIZE;
            }
            word(last);
        }
        return this;
    }

    /// Announces `count` words for consecutive methods.
    public PushBuffer increasing(int subchannel, int first, int count) {
        return word(MethodHeader.increasing(subchannel, first, count));
    }

    /// Announces `count` words for one method.
    public PushBuffer nonIncreasing(int subchannel, int method, int count) {
        return word(MethodHeader.nonIncreasing(subchannel, method, count));
    }

    /// Announces one word for the method and `count - 1` words for the next method.
    public PushBuffer increaseOnce(int subchannel, int first, int count) {
        return word(MethodHeader.increaseOnce(subchannel, first, count));
    }

    /// Writes one method with up to 13 bits of data, in one word.
    public PushBuffer immediate(int subchannel, int method, int data) {
        return word(MethodHeader.immediate(subchannel, method, data));
    }

    /// Writes one method and its data.
    public PushBuffer method(int subchannel, int method, int data) {
        return increasing(subchannel, method, 1).word(data);
    }

    /// Writes two consecutive methods.
    public PushBuffer methods(int subchannel, int first, int data0, int data1) {
        return increasing(subchannel, first, 2).word(data0).word(data1);
    }

    /// Writes a 40-bit address, or a size, as the values of two methods, upper word first.
    public PushBuffer address(int subchannel, int high, long value) {
        return methods(subchannel, high, (int) (value >>> Integer.SIZE), (int) value);
    }

    /// Binds a class to a subchannel.
    public PushBuffer bind(int subchannel, ClassId id) {
        return method(subchannel, ChannelClass.SET_OBJECT, ChannelClass.object(id));
    }
}
