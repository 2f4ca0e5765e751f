package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.reg.BitField;

/// Data that a channel last wrote to each method of one class.
final class ClassState {
    private static final BitField ADDRESS_HIGH = BitField.bits(7, 0);

    private final int[] words;

    ClassState(MethodTable methods) {
        words = new int[methods.words()];
    }

    void set(int method, int data) {
        words[method >>> 2] = data;
    }

    int get(int method) {
        return words[method >>> 2];
    }

    long unsigned(int method) {
        return Integer.toUnsignedLong(get(method));
    }

    /// Returns the 40-bit address in the data of two methods.
    long address(int high, int low) {
        return (long) ADDRESS_HIGH.get(get(high)) << Integer.SIZE | unsigned(low);
    }
}
