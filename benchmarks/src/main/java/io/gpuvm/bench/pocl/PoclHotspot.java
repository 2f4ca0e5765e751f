package io.gpuvm.bench.pocl;

import io.gpuvm.workloads.HotspotProblem;
import io.gpuvm.workloads.ThermalModel;
import io.gpuvm.workloads.Work;
import java.lang.foreign.MemorySegment;

/// `hotspot` on PoCL.
final class PoclHotspot extends PoclRun {
    /// Maximum number of steps per launch, as in the kernel.
    private static final int MOST_STEPS = 2;

    /// Number of cells that a block stores in each direction, as in the kernel.
    private static final int INNER = PoclKernel.SIDE - 2 * MOST_STEPS;

    private final HotspotProblem problem;
    private final float[] result;
    private MemorySegment power;
    private MemorySegment before;
    private MemorySegment after;
    private int launches;

    /// @param size number of rows and columns of cells
    PoclHotspot(PoclDevice device, int size, long seed) {
        super(device, "hotspot");
        problem = HotspotProblem.random(size, seed);
        result = new float[problem.temperatures().length];
    }

    @Override
    public void initialize() {
        ThermalModel model = problem.model();
        build(Math.ceilDiv(model.columns(), INNER), Math.ceilDiv(model.rows(), INNER));
        power = allocateWords(result.length);
        before = allocateWords(result.length);
        after = allocateWords(result.length);
    }

    @Override
    public void copyIn() {
        device().copyIn(power, MemorySegment.ofArray(problem.power()));
        device().copyIn(before, MemorySegment.ofArray(problem.temperatures()));
    }

    @Override
    public void launch() {
        launches = 0;
        for (int done = 0; done < HotspotProblem.STEPS; done += MOST_STEPS) {
            setArguments(Math.min(MOST_STEPS, HotspotProblem.STEPS - done));
            device().launch(kernel());
            launches++;
            MemorySegment last = before;
            before = after;
            after = last;
        }
        device().finish();
    }

    private void setArguments(int steps) {
        ThermalModel model = problem.model();
        kernel().arguments()
                .pointer(power)
                .pointer(before)
                .pointer(after)
                .i32(model.columns())
                .i32(model.rows())
                .i32(steps)
                .f32(model.step())
                .f32(model.rx())
                .f32(model.ry())
                .f32(model.rz())
                .f32(ThermalModel.AMBIENT);
    }

    @Override
    public void copyOut() {
        device().copyOut(MemorySegment.ofArray(result), before);
    }

    @Override
    public void verify() {
        problem.verify(result);
    }

    @Override
    public Work work() {
        return problem.work(launches);
    }
}
