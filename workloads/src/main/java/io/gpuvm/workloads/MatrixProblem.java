package io.gpuvm.workloads;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Two square matrices whose sum or product any GPU can compute.
///
/// Matrices are arrays of bits, row by row, and must not be changed. Any thread.
///
/// @param n number of rows and columns
/// @param a left operand
/// @param b right operand
public record MatrixProblem(
        MatrixElement element, MatrixOperation operation, int n, int[] a, int[] b) {
    /// Returns random matrices, determined by size and seed alone.
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

    /// Returns the length of a matrix in bytes.
    long bytes() {
        return (long) n * n * Integer.BYTES;
    }

    /// Returns the work of a run that copies both matrices to the GPU, launches one kernel, and
    /// copies the result back.
    public Work work() {
        return new Work(2 * bytes(), bytes(), 1, operation.operations(n), element.operation());
    }

    /// Computes the result on the CPU, and compares it bit by bit, even for floats: the results
    /// agree on a GPU that rounds to nearest, keeps denormals, and computes each element of a
    /// product by the same sequence of fused multiply-adds.
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
