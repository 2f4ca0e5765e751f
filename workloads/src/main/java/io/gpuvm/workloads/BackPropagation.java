package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.SIDE;
import static io.gpuvm.workloads.Blocks.squares;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// One training step of a neural network with many inputs, 16 hidden units and one output.
///
/// The GPU sums the contributions of the inputs to the hidden units, block by block; the host
/// computes the output and its error; finally the GPU corrects the weights of the inputs.
///
/// The result is verified bit by bit: the CPU adds in the order of the kernel's rounds, and
/// computes the host's part with the same code.
final class BackPropagation implements Workload {
    /// Number of hidden units; also the side of a block, in threads.
    private static final int HIDDEN = SIDE;

    private static final float RATE = 0.3f;
    private static final float MOMENTUM = 0.3f;

    /// Number of operations per weight: a product and a sum, then three products and two sums.
    private static final int OPERATIONS = 7;

    private static final WorkloadSize SIZE = new WorkloadSize("inputs", 1, 1 << 16, 1_000_000);

    @Override
    public String name() {
        return "backprop";
    }

    @Override
    public String summary() {
        return "trains a neural network for one step: reductions, host code between kernels";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), new SplittableRandom(seed));
    }

    private static final class Run extends KernelRun {
        /// Number of inputs, the first of which is constant.
        private final int units;

        private final LaunchShape shape;
        private final float[] inputs;
        private final float[] weights;
        private final float[] changes;
        private final OutputLayer outputLayer;
        private final float[] sums;

        /// Weights, followed by their changes, as computed by the GPU.
        private final float[] trained;

        private DeviceMemory deviceInputs;
        private DeviceMemory deviceWeights;
        private DeviceMemory deviceChanges;
        private DeviceMemory deviceSums;
        private DeviceMemory deviceDeltas;

        Run(GpuContext context, int size, SplittableRandom random) {
            super(context, "backprop");
            units = size + 1;
            int blocks = Blocks.covering(units, SIDE);
            shape = squares(blocks, 1);
            inputs = randoms(random, units, 0, 1);
            inputs[0] = 1;
            // Small enough to keep sums near 1: the network does not learn where the logistic
            // function is flat.
            float weight = (float) (1 / Math.sqrt(units));
            weights = randoms(random, units * HIDDEN, -weight, weight);
            changes = randoms(random, units * HIDDEN, -weight, weight);
            outputLayer = new OutputLayer(randoms(random, HIDDEN + 1, -1, 1), random.nextFloat());
            sums = new float[blocks * HIDDEN];
            trained = new float[2 * weights.length];
        }

        private static float[] randoms(SplittableRandom random, int n, float least, float most) {
            float[] values = new float[n];
            for (int i = 0; i < n; i++) {
                values[i] = random.nextFloat(least, most);
            }
            return values;
        }

        @Override
        void allocateMemory() {
            deviceInputs = allocateWords(inputs.length);
            deviceWeights = allocateWords(weights.length);
            deviceChanges = allocateWords(changes.length);
            deviceSums = allocateWords(sums.length);
            deviceDeltas = allocateWords(HIDDEN);
        }

        @Override
        public void copyIn() {
            copyIn(deviceInputs, MemorySegment.ofArray(inputs));
            copyIn(deviceWeights, MemorySegment.ofArray(weights));
            copyIn(deviceChanges, MemorySegment.ofArray(changes));
        }

        @Override
        public void launch() {
            Arguments forward =
                    new Arguments()
                            .pointer(deviceInputs)
                            .pointer(deviceWeights)
                            .pointer(deviceSums)
                            .i32(units);
            run("forward", shape, forward);
            fetch(MemorySegment.ofArray(sums), deviceSums);
            float[] deltas = outputLayer.deltas(outputLayer.hidden(sums));
            send(deviceDeltas, MemorySegment.ofArray(deltas));
            Arguments adjust =
                    new Arguments()
                            .pointer(deviceInputs)
                            .pointer(deviceDeltas)
                            .pointer(deviceWeights)
                            .pointer(deviceChanges)
                            .i32(units)
                            .f32(RATE)
                            .f32(MOMENTUM);
            run("adjust", shape, adjust);
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            long middle = (long) weights.length * Float.BYTES;
            copyOut(result().asSlice(0, middle), deviceWeights);
            copyOut(result().asSlice(middle), deviceChanges);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(trained);
        }

        @Override
        public void verify() {
            float[] expectedSums = expectedSums();
            Results.requireEqual("sums", sums, expectedSums);
            float[] deltas = outputLayer.deltas(outputLayer.hidden(expectedSums));
            Results.requireEqual("weights", trained, expected(deltas));
        }

        private float[] expectedSums() {
            float[] expected = new float[sums.length];
            float[] products = new float[SIDE];
            for (int i = 0; i < expected.length; i++) {
                int hidden = i % HIDDEN;
                int first = i / HIDDEN * SIDE;
                for (int row = 0; row < SIDE; row++) {
                    int unit = first + row;
                    products[row] =
                            unit < units ? inputs[unit] * weights[unit * HIDDEN + hidden] : 0;
                }
                expected[i] = sumByHalves(products);
            }
            return expected;
        }

        /// Returns the sum: adds the upper half to the lower half, then repeats the addition within
        /// the lower half.
        private static float sumByHalves(float[] values) {
            for (int half = values.length / 2; half > 0; half /= 2) {
                for (int i = 0; i < half; i++) {
                    values[i] += values[i + half];
                }
            }
            return values[0];
        }

        private float[] expected(float[] deltas) {
            int n = weights.length;
            float[] expected = new float[2 * n];
            for (int i = 0; i < n; i++) {
                float before = changes[i] * MOMENTUM;
                float change = Math.fma(deltas[i % HIDDEN] * RATE, inputs[i / HIDDEN], before);
                expected[i] = weights[i] + change;
                expected[n + i] = change;
            }
            return expected;
        }

        @Override
        public Work work() {
            return done((long) weights.length * OPERATIONS, "flop");
        }
    }
}
