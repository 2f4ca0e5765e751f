package io.gpuvm.bench.pocl;

import io.gpuvm.workloads.MatrixElement;
import io.gpuvm.workloads.MatrixOperation;
import io.gpuvm.workloads.MatrixProblem;
import io.gpuvm.workloads.Work;
import java.lang.foreign.MemorySegment;

/// `mmul` and `fmmul` on PoCL.
final class PoclProduct extends PoclRun {
    private final MatrixProblem problem;
    private final int[] result;
    private MemorySegment a;
    private MemorySegment b;
    private MemorySegment c;

    /// @param name name of the workload
    /// @param n number of rows and columns
    PoclProduct(PoclDevice device, String name, MatrixElement element, int n, long seed) {
        super(device, name);
        problem = MatrixProblem.random(element, MatrixOperation.PRODUCT, n, seed);
        result = new int[problem.a().length];
    }

    @Override
    public void initialize() {
        int tiles = Math.ceilDiv(problem.n(), PoclKernel.SIDE);
        build(tiles, tiles);
        a = allocateWords(result.length);
        b = allocateWords(result.length);
        c = allocateWords(result.length);
    }

    @Override
    public void copyIn() {
        device().copyIn(a, MemorySegment.ofArray(problem.a()));
        device().copyIn(b, MemorySegment.ofArray(problem.b()));
    }

    @Override
    public void launch() {
        kernel().arguments().pointer(a).pointer(b).pointer(c).i32(problem.n());
        device().launch(kernel());
        device().finish();
    }

    @Override
    public void copyOut() {
        device().copyOut(MemorySegment.ofArray(result), c);
    }

    @Override
    public void verify() {
        problem.verify(result);
    }

    @Override
    public Work work() {
        return problem.work();
    }
}
