package io.gpuvm.workloads;

import java.util.SplittableRandom;

/// Chip whose temperatures after [#STEPS] time steps any GPU can compute.
///
/// Arrays contain cells row by row, and must not be changed. Any thread.
///
/// @param power power of the cells, in W
/// @param temperatures initial temperatures of the cells, in K
public record HotspotProblem(ThermalModel model, float[] power, float[] temperatures) {
    /// Number of time steps; odd, so that the last launch executes fewer steps than other launches.
    public static final int STEPS = 31;

    /// Number of operations per cell and step: three sums, six products with sums.
    private static final int OPERATIONS = 15;

    private static final float COLDEST = 323;
    private static final float HOTTEST = 343;

    /// Maximum total power of all cells, in W.
    private static final float CHIP_POWER = 200;

    /// Returns a square chip of random cells, determined by size and seed alone.
    ///
    /// @param size number of rows and columns of cells
    public static HotspotProblem random(int size, long seed) {
        return random(ThermalModel.of(size, size), new SplittableRandom(seed));
    }

    static HotspotProblem random(ThermalModel model, SplittableRandom random) {
        float[] power = new float[model.cells()];
        float[] temperatures = new float[model.cells()];
        for (int i = 0; i < power.length; i++) {
            power[i] = random.nextFloat(CHIP_POWER / power.length);
            temperatures[i] = random.nextFloat(COLDEST, HOTTEST);
        }
        return new HotspotProblem(model, power, temperatures);
    }

    /// Returns the work of a run that copies power and temperatures to the GPU, executes all steps,
    /// and copies the temperatures back.
    ///
    /// @param launches number of launches for the steps
    public Work work(long launches) {
        long bytes = (long) model.cells() * Float.BYTES;
        return new Work(2 * bytes, bytes, launches, operations(), "flop");
    }

    /// Returns the number of additions and multiplications.
    long operations() {
        return (long) model.cells() * STEPS * OPERATIONS;
    }

    /// Computes the temperatures on the CPU by [ThermalModel#next], and compares them bit by bit.
    ///
    /// @throws WrongResultException at the first cell that differs
    public void verify(float[] result) {
        float[] expected = temperatures;
        for (int step = 0; step < STEPS; step++) {
            expected = model.next(expected, power);
        }
        Results.requireEqual("temperatures", result, expected);
    }
}
