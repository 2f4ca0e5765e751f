package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Memory that commands are written to, one after the other.
///
/// Nothing here is allocated for a command. Whoever writes past the end of the memory gets an
/// [IndexOutOfBoundsException]. Used by one thread at a time.
public final class PushBuffer {
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private long at;

    /// @param memory aligned to 4 bytes
    public PushBuffer(MemorySegment memory) {
        this.memory = memory;
    }

    /// Has the next word go to `offset`, a multiple of 4.
    public PushBuffer moveTo(long offset) {
        at = offset;
        return this;
    }

    /// Where the next word goes, in bytes.
    public long position() {
        return at;
    }

    /// Writes a word as it is.
    public PushBuffer word(int word) {
        memory.set(U32, at, word);
        at += Integer.BYTES;
        return this;
    }

    /// Writes bytes as words; the last word is filled up with zeros.
    ///
    /// @param bytes how many of them
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

    /// Announces `count` words for methods that increase.
    public PushBuffer increasing(int subchannel, int first, int count) {
        return word(MethodHeader.increasing(subchannel, first, count));
    }

    /// Announces `count` words for one method.
    public PushBuffer nonIncreasing(int subchannel, int method, int count) {
        return word(MethodHeader.nonIncreasing(subchannel, method, count));
    }

    /// Announces one word for the method and `count - 1` for the next one.
    public PushBuffer increaseOnce(int subchannel, int first, int count) {
        return word(MethodHeader.increaseOnce(subchannel, first, count));
    }

    /// One method with up to 13 bits of data, in one word.
    public PushBuffer immediate(int subchannel, int method, int data) {
        return word(MethodHeader.immediate(subchannel, method, data));
    }

    /// One method.
    public PushBuffer method(int subchannel, int method, int data) {
        return increasing(subchannel, method, 1).word(data);
    }

    /// Two methods that follow each other.
    public PushBuffer methods(int subchannel, int first, int data0, int data1) {
        return increasing(subchannel, first, 2).word(data0).word(data1);
    }

    /// A 40-bit address, or a size, for two methods, high half first.
    public PushBuffer address(int subchannel, int high, long value) {
        return methods(subchannel, high, (int) (value >>> Integer.SIZE), (int) value);
    }

    /// Binds a class to a subchannel.
    public PushBuffer bind(int subchannel, ClassId id) {
        return method(subchannel, ChannelClass.SET_OBJECT, ChannelClass.object(id));
    }
}
