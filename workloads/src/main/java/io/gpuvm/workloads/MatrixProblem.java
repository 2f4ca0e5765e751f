package io.gpuvm.workloads;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Two square matrices, of which a sum or a product is wanted, for any GPU to compute.
///
/// Matrices are arrays of bits, row after row, which nobody changes. Any thread.
///
/// @param n rows and columns
/// @param a the left one
/// @param b the right one
public record MatrixProblem(
        MatrixElement element, MatrixOperation operation, int n, int[] a, int[] b) {
    /// Random matrices, which follow from size and seed alone.
    public static MatrixProblem random(
            MatrixElement element, MatrixOperation operation, int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] a = random(element, n, random);
        int[] b = random(element, n, random);
        return new MatrixProblem(element, operation, n, a, b);
    }

    private static int[] random(MatrixElement element, int n, SplittableRandom random) {
        int[] matrix = new int[n * n];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = element.random(random);
        }
        return matrix;
    }

    /// Of a matrix.
    long bytes() {
        return (long) n * n * Integer.BYTES;
    }

    /// How much a run is that copies both to the GPU, launches one kernel, and copies the result
    /// back.
    public Work work() {
        return new Work(2 * bytes(), bytes(), 1, operation.operations(n), element.operation());
    }

    /// Computes the same on the CPU, and compares, bit for bit also of floats: a GPU that rounds to
    /// nearest, keeps denormals, and makes each element of a product by the same sequence of fused
    /// multiply-adds has no reason to differ.
    ///
    /// @throws WrongResultException at the first element that differs
    public void verify(int[] result) {
        int[] expected = operation.expected(element, n, a, b);
        int at = Arrays.mismatch(result, expected);
        if (at >= 0) {
            throw new WrongResultException(
                    operation.result(), at, element.value(result[at]), element.value(expected[at]));
        }
    }
}
