package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;

/// Words of a push buffer, as drivers write them.
final class Program {
    /// Subchannel that nouveau uses for M2MF.
    static final int M2MF = 2;

    /// Subchannel that nouveau uses for the copy engines.
    static final int COPY = 4;

    /// Number of lines of an endless copy: the maximum, unsigned.
    static final int FOREVER = -1;

    private int[] words = new int[32];
    private int length;

    /// Binds a class to a subchannel.
    Program bind(int subchannel, ClassId id) {
        return methods(subchannel, ChannelClass.SET_OBJECT, ChannelClass.object(id));
    }

    /// Writes values to consecutive methods, beginning with `first`.
    Program methods(int subchannel, int first, int... values) {
        word(MethodHeader.increasing(subchannel, first, values.length));
        return words(values);
    }

    /// Writes a 40-bit address to two methods, upper word first.
    Program address(int subchannel, int high, long gpuVa) {
        return methods(subchannel, high, (int) (gpuVa >>> Integer.SIZE), (int) gpuVa);
    }

    /// Copies one line. A copy engine copies at most 65,535 bytes per line.
    Program copy(ClassId engine, long source, long target, int bytes) {
        return copyLines(engine, source, bytes, target, bytes, bytes, 1);
    }

    /// Copies lines of linear memory, by M2MF or a copy engine.
    Program copyLines(
            ClassId engine,
            long source,
            int sourcePitch,
            long target,
            int targetPitch,
            int bytes,
            int lines) {
        if (engine == ClassId.M2MF) {
            return bind(M2MF, engine)
                    .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, target)
                    .address(M2MF, M2mfClass.OFFSET_IN_HIGH, source)
                    .methods(M2MF, M2mfClass.PITCH_IN, sourcePitch, targetPitch, bytes, lines)
                    .methods(
                            M2MF,
                            M2mfClass.EXEC,
                            M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1));
        }
        return bind(COPY, engine)
                .address(COPY, CopyClass.SRC_ADDRESS_HIGH, source)
                .address(COPY, CopyClass.DST_ADDRESS_HIGH, target)
                .methods(COPY, CopyClass.SRC_PITCH, sourcePitch, targetPitch, bytes, lines)
                .methods(
                        COPY,
                        CopyClass.EXEC,
                        CopyClass.EXEC_SRC_LINEAR.of(1) | CopyClass.EXEC_DST_LINEAR.of(1));
    }

    /// Copies one page repeatedly, for longer than the timeout of any test.
    Program copyForever(long source, long target) {
        int bytes = (int) Bench.PAGE_BYTES;
        return copyLines(ClassId.M2MF, source, 0, target, 0, bytes, FOREVER);
    }

    /// Writes a value to memory after all preceding work has completed.
    Program release(long gpuVa, int value, boolean shortForm) {
        int trigger = ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE);
        return semaphore(gpuVa, value, trigger | ChannelClass.RELEASE_SHORT.of(shortForm ? 1 : 0));
    }

    /// Waits for a value in memory.
    ///
    /// @param operation one of [ChannelClass]'s `ACQUIRE_` numbers
    Program acquire(long gpuVa, int value, int operation) {
        int trigger = ChannelClass.SEMAPHORE_OPERATION.of(operation);
        return semaphore(gpuVa, value, trigger | ChannelClass.ACQUIRE_SWITCH.of(1));
    }

    /// Raises a non-stall interrupt of the last used engine.
    Program interrupt() {
        return methods(0, ChannelClass.NON_STALL_INTERRUPT, 0);
    }

    /// Sets the reference count.
    Program reference(int count) {
        return methods(0, ChannelClass.SET_REFERENCE, count);
    }

    Program word(int word) {
        if (length == words.length) {
            words = Arrays.copyOf(words, 2 * length);
        }
        words[length++] = word;
        return this;
    }

    /// Returns all words of the program.
    int[] toArray() {
        return Arrays.copyOf(words, length);
    }

    private Program semaphore(long gpuVa, int value, int trigger) {
        return methods(
                0,
                ChannelClass.SEMAPHORE_ADDRESS_HIGH,
                (int) (gpuVa >>> Integer.SIZE),
                (int) gpuVa,
                value,
                trigger);
    }

    private Program words(int... raw) {
        for (int word : raw) {
            word(word);
        }
        return this;
    }
}
