package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Transfers and computation in adjustable proportions: the workload copies a number of pieces to
/// the GPU, computes, and copies the pieces back.
///
/// The computation replaces the first words of the buffer, one for each thread, with the values of
/// a linear congruential generator after a number of steps.
final class Mix implements Workload {
    private static final String NAME = "mix";

    /// Prefix of a name with parameters.
    private static final String PREFIX = NAME + ":";

    /// Number of launches among which the steps are divided, if there are enough steps.
    private static final int LAUNCHES = 16;

    private static final int BLOCKS = 64;
    private static final int THREADS = BLOCKS * Blocks.THREADS;
    private static final int OPERATIONS_OF_STEP = 2;
    private static final WorkloadSize SIZE =
            new WorkloadSize("microseconds at the nominal rates", 1, 100_000, 10_000_000);

    private final String name;
    private final MixShape shape;

    private Mix(String name, MixShape shape) {
        this.name = name;
        this.shape = shape;
    }

    /// Returns the workload with the usual proportions.
    static Mix usual() {
        return new Mix(NAME, MixShape.USUAL);
    }

    /// Returns whether a name consists of this workload's name and of parameters.
    static boolean hasParameters(String name) {
        return name.startsWith(PREFIX);
    }

    /// @param name name with parameters, such as `mix:share=30,transfer=65536`
    /// @throws IllegalArgumentException if a parameter is unknown or has an invalid value
    static Mix parse(String name) {
        MixShape shape = MixShape.parse(name.substring(PREFIX.length()));
        return new Mix(PREFIX + shape.text(), shape);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return "copies and computes: %d percent transfers, each of %d bytes"
                .formatted(shape.sharePercent(), shape.transferBytes());
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, shape, SIZE.check(size), seed);
    }

    private static final class Run extends KernelRun {
        private final int transfers;
        private final int slots;
        private final int pieceBytes;
        private final int steps;
        private final int[] input;
        private final int[] result;
        private DeviceMemory buffer;

        Run(GpuContext context, MixShape shape, int nominalUs, long seed) {
            super(context, NAME);
            transfers = shape.transfers(nominalUs);
            slots = Math.min(transfers, shape.slots());
            pieceBytes = shape.transferBytes();
            steps = shape.steps(nominalUs, THREADS);
            SplittableRandom random = new SplittableRandom(seed);
            input = random.ints((long) slots * pieceBytes / Integer.BYTES).toArray();
            result = new int[input.length];
        }

        @Override
        void allocateMemory() {
            buffer = allocateWords(input.length);
        }

        @Override
        public void copyIn() {
            for (int i = 0; i < transfers; i++) {
                copyIn(buffer, offset(i), piece(input, i));
            }
            stream().synchronize();
        }

        @Override
        public void launch() {
            LaunchShape grid = LaunchShape.of(BLOCKS, Blocks.THREADS);
            int launches = Math.min(LAUNCHES, steps);
            for (int i = 0; i < launches; i++) {
                int part = (i + 1) * steps / launches - i * steps / launches;
                run(NAME, grid, new Arguments().pointer(buffer).i32(input.length).i32(part));
            }
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            for (int i = 0; i < transfers; i++) {
                copyOut(piece(result, i), buffer, offset(i));
            }
        }

        private long offset(int transfer) {
            return (long) (transfer % slots) * pieceBytes;
        }

        private MemorySegment piece(int[] words, int transfer) {
            return MemorySegment.ofArray(words).asSlice(offset(transfer), pieceBytes);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(result);
        }

        @Override
        public void verify() {
            int[] expected = input.clone();
            Congruence all = Congruence.STEP.times(steps);
            for (int i = 0; i < Math.min(THREADS, expected.length); i++) {
                expected[i] = all.apply(expected[i]);
            }
            Results.requireEqual("data", result, expected);
        }

        @Override
        public Work work() {
            return done((long) THREADS * steps * OPERATIONS_OF_STEP, "op");
        }
    }
}
