package io.gpuvm.workloads;

/// Operations on two square matrices.
public enum MatrixOperation {
    /// Sum: one addition for two loads and a store. The usual size is that of the paper's
    /// experiments.
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
    /// Product by tiles of both matrices in shared memory. The paper's experiments use 1024 rows
    /// and columns; with half as many, a software GPU takes about as long as for its other
    /// workloads.
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

    /// Returns the name of the result.
    String result() {
        return result;
    }

    String summary(MatrixElement element) {
        return summary.formatted(element);
    }

    WorkloadSize size() {
        return size;
    }

    /// Returns the number of additions and multiplications for matrices of `n` rows and columns.
    abstract long operations(int n);

    /// Returns the result as computed by the CPU.
    abstract int[] expected(MatrixElement element, int n, int[] a, int[] b);
}
