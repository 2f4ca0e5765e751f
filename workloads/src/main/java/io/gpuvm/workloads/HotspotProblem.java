package io.gpuvm.workloads;

import java.util.SplittableRandom;

/// A chip whose temperatures after [#STEPS] steps of time are wanted, for any GPU to compute.
///
/// Arrays are rows of cells one after the other, which nobody changes. Any thread.
///
/// @param power that cells take, in W
/// @param temperatures that they have at first, in K
public record HotspotProblem(ThermalModel model, float[] power, float[] temperatures) {
    /// Steps of time altogether; an odd number, so that the last launch does fewer than the others.
    public static final int STEPS = 31;

    /// Of each cell in a step: three sums, six products with sums.
    private static final int OPERATIONS = 15;

    private static final float COLDEST = 323;
    private static final float HOTTEST = 343;

    /// What all cells take at the most, in W.
    private static final float CHIP_POWER = 200;

    /// A square chip of random cells, which follow from size and seed alone.
    ///
    /// @param size rows and columns of cells
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

    /// How much a run is that copies power and temperatures to the GPU, does all steps, and copies
    /// the temperatures back.
    ///
    /// @param launches that did the steps
    public Work work(long launches) {
        long bytes = (long) model.cells() * Float.BYTES;
        return new Work(2 * bytes, bytes, launches, operations(), "flop");
    }

    /// Additions and multiplications.
    long operations() {
        return (long) model.cells() * STEPS * OPERATIONS;
    }

    /// Computes the same on the CPU, and compares, bit for bit: see [ThermalModel#next].
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
