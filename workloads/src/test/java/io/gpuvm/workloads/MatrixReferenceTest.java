package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/// Tests with matrices of two rows and columns; the expected results were computed by hand.
class MatrixReferenceTest {
    private static final int[] A = {1, 2, 3, 4};
    private static final int[] B = {5, 6, 7, Integer.MAX_VALUE};

    @Test
    void givenIntegers_whenAdded_thenSumsWrapAround() {
        assertArrayEquals(
                new int[] {6, 8, 10, Integer.MIN_VALUE + 3}, MatrixReference.addIntegers(2, A, B));
    }

    @Test
    void givenIntegers_whenMultiplied_thenRowsAreMultipliedByColumns() {
        assertArrayEquals(
                new int[] {
                    5 + 2 * 7,
                    6 + 2 * Integer.MAX_VALUE,
                    3 * 5 + 4 * 7,
                    3 * 6 + 4 * Integer.MAX_VALUE
                },
                MatrixReference.multiplyIntegers(2, A, B));
    }

    @Test
    void givenFloats_whenAdded_thenSumsAreRounded() {
        assertArrayEquals(
                bits(1.5, -0.25, 1, 0),
                MatrixReference.addFloats(2, bits(1, 0.25, 1, 1), bits(0.5, -0.5, 1e-9, -1)));
    }

    /// Tests the square of 1 + 2^-23 minus its rounded value: zero, unless multiplication and
    /// addition are fused.
    @Test
    void givenFloats_whenMultiplied_thenProductsAreNotRoundedBeforeAddition() {
        float next = Math.nextUp(1f);
        int[] a = bits(1, 0, -next * next, next);
        int[] b = bits(1, 0.5, next, 2);

        assertArrayEquals(
                bits(
                        1,
                        0.5,
                        Math.fma(next, next, -next * next),
                        Math.fma(next, 2, -next * next * 0.5f)),
                MatrixReference.multiplyFloats(2, a, b));
    }

    private static int[] bits(double... values) {
        return DoubleStream.of(values)
                .mapToInt(value -> Float.floatToRawIntBits((float) value))
                .toArray();
    }
}
