package io.gpuvm.workloads;

import java.util.SplittableRandom;

/// Types of matrix elements: 32 bits each, on the CPU and on the GPU.
public enum MatrixElement {
    /// Integers over the full range, which wrap around.
    INTEGER("integer", "op") {
        @Override
        int random(SplittableRandom random) {
            return random.nextInt();
        }

        @Override
        Object value(int bits) {
            return bits;
        }

        @Override
        int[] sum(int n, int[] a, int[] b) {
            return MatrixReference.addIntegers(n, a, b);
        }

        @Override
        int[] product(int n, int[] a, int[] b) {
            return MatrixReference.multiplyIntegers(n, a, b);
        }
    },
    /// Single-precision numbers from -1 to below 1, of many magnitudes, so that sums are rounded.
    FLOAT("float", "flop") {
        @Override
        int random(SplittableRandom random) {
            float value = (random.nextInt() >> IGNORED_BITS) * FLOAT_UNIT;
            return Float.floatToRawIntBits(Math.scalb(value, -random.nextInt(MAGNITUDES)));
        }

        @Override
        Object value(int bits) {
            return Float.intBitsToFloat(bits);
        }

        @Override
        int[] sum(int n, int[] a, int[] b) {
            return MatrixReference.addFloats(n, a, b);
        }

        @Override
        int[] product(int n, int[] a, int[] b) {
            return MatrixReference.multiplyFloats(n, a, b);
        }
    };

    /// Factor that scales an integer with the bits of a float's significand to less than 1.
    private static final float FLOAT_UNIT = Math.scalb(1f, 1 - Float.PRECISION);

    /// Number of powers of two by which random floats are scaled.
    private static final int MAGNITUDES = 16;

    private static final int IGNORED_BITS = Integer.SIZE - Float.PRECISION;

    private final String text;
    private final String operation;

    MatrixElement(String text, String operation) {
        this.text = text;
        this.operation = operation;
    }

    /// Returns the unit of operations on these elements.
    String operation() {
        return operation;
    }

    /// Returns the bits of a random element.
    abstract int random(SplittableRandom random);

    /// Returns the element that the given bits represent.
    abstract Object value(int bits);

    /// Adds matrices of `n` rows and columns on the CPU.
    abstract int[] sum(int n, int[] a, int[] b);

    /// Multiplies matrices of `n` rows and columns on the CPU.
    abstract int[] product(int n, int[] a, int[] b);

    @Override
    public String toString() {
        return text;
    }
}
