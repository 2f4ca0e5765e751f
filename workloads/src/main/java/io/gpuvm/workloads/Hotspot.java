package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.SIDE;
import static io.gpuvm.workloads.Blocks.covering;
import static io.gpuvm.workloads.Blocks.squares;
import static io.gpuvm.workloads.HotspotProblem.STEPS;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Temperatures of the cells of a chip, computed from the power of the cells.
///
/// The result is verified bit by bit: the CPU executes the kernel's operations in the same order.
final class Hotspot implements Workload {
    /// Maximum number of steps of a launch, as in the kernel.
    private static final int MOST_STEPS = 2;

    /// Rows and columns of cells that a block stores. The cells at the block's edges lack
    /// neighbours, so the block computes but does not store them.
    private static final int INNER = SIDE - 2 * MOST_STEPS;

    private static final WorkloadSize SIZE =
            new WorkloadSize("rows and columns of cells", 1, 256, 4096);

    @Override
    public String name() {
        return "hotspot";
    }

    @Override
    public String summary() {
        return "simulates a chip's heating: a five-point stencil, several steps in shared memory";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        SIZE.check(size);
        return new Run(context, HotspotProblem.random(size, seed));
    }

    /// Run for a chip with any numbers of rows and columns.
    static final class Run extends KernelRun {
        private final HotspotProblem problem;
        private final ThermalModel model;
        private final float[] result;
        private DeviceMemory devicePower;
        private DeviceMemory before;
        private DeviceMemory after;

        Run(GpuContext context, HotspotProblem problem) {
            super(context, "hotspot");
            this.problem = problem;
            model = problem.model();
            result = new float[model.cells()];
        }

        @Override
        void allocateMemory() {
            devicePower = allocateWords(model.cells());
            before = allocateWords(model.cells());
            after = allocateWords(model.cells());
        }

        @Override
        public void copyIn() {
            copyIn(devicePower, MemorySegment.ofArray(problem.power()));
            copyIn(before, MemorySegment.ofArray(problem.temperatures()));
        }

        @Override
        public void launch() {
            LaunchShape shape =
                    squares(covering(model.columns(), INNER), covering(model.rows(), INNER));
            for (int done = 0; done < STEPS; done += MOST_STEPS) {
                run("hotspot", shape, arguments(Math.min(MOST_STEPS, STEPS - done)));
                DeviceMemory last = before;
                before = after;
                after = last;
            }
            stream().synchronize();
        }

        private Arguments arguments(int steps) {
            return new Arguments()
                    .pointer(devicePower)
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
            copyOut(result(), before);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(result);
        }

        @Override
        public void verify() {
            problem.verify(result);
        }

        @Override
        public Work work() {
            return done(problem.operations(), "flop");
        }
    }
}
