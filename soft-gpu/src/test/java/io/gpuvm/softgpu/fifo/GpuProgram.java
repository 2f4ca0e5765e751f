package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;

/// Words of a push buffer, as a driver writes them.
public final class GpuProgram {
    private int[] words = new int[64];
    private int length;

    /// Appends the binding of a class to a subchannel.
    public GpuProgram bind(int subchannel, ClassId id) {
        return methods(subchannel, ChannelClass.SET_OBJECT, ChannelClass.object(id));
    }

    /// Appends one value for each of the consecutive methods from `first` on.
    public GpuProgram methods(int subchannel, int first, int... values) {
        word(MethodHeader.increasing(subchannel, first, values.length));
        return words(values);
    }

    /// Appends all values for one method.
    public GpuProgram repeat(int subchannel, int method, int... values) {
        word(MethodHeader.nonIncreasing(subchannel, method, values.length));
        return words(values);
    }

    /// Appends a 40-bit address as the values of two consecutive methods, upper word first.
    public GpuProgram address(int subchannel, int high, long gpuVa) {
        return methods(subchannel, high, (int) (gpuVa >>> Integer.SIZE), (int) gpuVa);
    }

    /// Appends a semaphore release, which writes a value to memory after all earlier methods.
    public GpuProgram release(long gpuVa, int value, boolean shortForm) {
        int trigger = ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE);
        trigger |= ChannelClass.RELEASE_SHORT.of(shortForm ? 1 : 0);
        return semaphore(gpuVa, value, trigger);
    }

    /// Appends a semaphore acquire, which waits for a value in memory.
    public GpuProgram acquire(long gpuVa, int value, int operation) {
        int trigger = ChannelClass.SEMAPHORE_OPERATION.of(operation);
        return semaphore(gpuVa, value, trigger | ChannelClass.ACQUIRE_SWITCH.of(1));
    }

    private GpuProgram semaphore(long gpuVa, int value, int trigger) {
        return methods(
                0,
                ChannelClass.SEMAPHORE_ADDRESS_HIGH,
                (int) (gpuVa >>> Integer.SIZE),
                (int) gpuVa,
                value,
                trigger);
    }

    /// Appends the method that raises a non-stall interrupt.
    public GpuProgram interrupt() {
        return methods(0, ChannelClass.NON_STALL_INTERRUPT, 0);
    }

    /// Appends the method that sets the reference count.
    public GpuProgram reference(int count) {
        return methods(0, ChannelClass.SET_REFERENCE, count);
    }

    /// Appends a raw word.
    public GpuProgram word(int word) {
        if (length == words.length) {
            words = Arrays.copyOf(words, 2 * length);
        }
        words[length++] = word;
        return this;
    }

    /// Appends raw words.
    public GpuProgram words(int... raw) {
        for (int word : raw) {
            word(word);
        }
        return this;
    }

    /// Returns all words.
    public int[] toArray() {
        return Arrays.copyOf(words, length);
    }
}
