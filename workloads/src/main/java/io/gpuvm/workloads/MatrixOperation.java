package io.gpuvm.workloads;

/// What is computed of two square matrices.
public enum MatrixOperation {
    /// A load of each element for one addition. The usual size is that of the paper's experiments.
    SUM("sum", "adds two %s matrices: memory", 1024) {
        @Override
        long operations(int n) {
            return (long) n * n;
        }

        @Override
        int[] expected(MatrixElement element, int n, int[] a, int[] b) {
            return element.sum(n, a, b);
        }
    },
    /// Tiles of both in shared memory. The paper's experiments have 1024 rows and columns; half of
    /// that takes a software GPU about as long as its other workloads.
    PRODUCT(
            "product",
            "multiplies two %s matrices by tiles: arithmetic, shared memory, barriers",
            512) {
        @Override
        long operations(int n) {
            return 2L * n * n * n;
        }

        @Override
        int[] expected(MatrixElement element, int n, int[] a, int[] b) {
            return element.product(n, a, b);
        }
    };

    private final String result;
    private final String summary;
    private final WorkloadSize size;

    MatrixOperation(String result, String summary, int usual) {
        this.result = result;
        this.summary = summary;
        this.size = new WorkloadSize("rows and columns", 1, usual, MatrixWorkload.LARGEST);
    }

    /// What the result is called.
    String result() {
        return result;
    }

    String summary(MatrixElement element) {
        return summary.formatted(element);
    }

    WorkloadSize size() {
        return size;
    }

    /// Additions and multiplications for matrices of `n` rows and columns.
    abstract long operations(int n);

    /// The result, as the CPU computes it.
    abstract int[] expected(MatrixElement element, int n, int[] a, int[] b);
}
