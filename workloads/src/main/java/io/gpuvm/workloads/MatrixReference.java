package io.gpuvm.workloads;

import java.util.Arrays;

/// Sums and products of square matrices on the CPU. Matrices are arrays of bits, row by row.
final class MatrixReference {
    private MatrixReference() {}

    /// Adds modulo 2^32.
    static int[] addIntegers(int n, int[] a, int[] b) {
        int[] sum = new int[n * n];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = a[i] + b[i];
        }
        return sum;
    }

    /// Adds, rounding to nearest.
    static int[] addFloats(int n, int[] a, int[] b) {
        int[] sum = new int[n * n];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = Float.floatToRawIntBits(value(a[i]) + value(b[i]));
        }
        return sum;
    }

    /// Multiplies modulo 2^32.
    static int[] multiplyIntegers(int n, int[] a, int[] b) {
        int[] product = new int[n * n];
        int[] sums = new int[n];
        for (int row = 0; row < n; row++) {
            Arrays.fill(sums, 0);
            for (int k = 0; k < n; k++) {
                addMultiple(sums, a[row * n + k], b, k * n);
            }
            System.arraycopy(sums, 0, product, row * n, n);
        }
        return product;
    }

    /// Multiplies: each element starts from zero and is updated by a fused multiply-add for each
    /// column of `a`, in ascending order.
    static int[] multiplyFloats(int n, int[] a, int[] b) {
        int[] product = new int[n * n];
        float[] right = values(b);
        float[] sums = new float[n];
        for (int row = 0; row < n; row++) {
            Arrays.fill(sums, 0);
            for (int k = 0; k < n; k++) {
                addMultiple(sums, value(a[row * n + k]), right, k * n);
            }
            for (int column = 0; column < n; column++) {
                product[row * n + column] = Float.floatToRawIntBits(sums[column]);
            }
        }
        return product;
    }

    private static void addMultiple(int[] sums, int factor, int[] matrix, int row) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += factor * matrix[row + i];
        }
    }

    private static void addMultiple(float[] sums, float factor, float[] matrix, int row) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] = Math.fma(factor, matrix[row + i], sums[i]);
        }
    }

    private static float value(int bits) {
        return Float.intBitsToFloat(bits);
    }

    private static float[] values(int[] bits) {
        float[] values = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
            values[i] = value(bits[i]);
        }
        return values;
    }
}
