package io.gpuvm.workloads;

import static io.gpuvm.workloads.Blocks.SIDE;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Best scores of the alignment of two sequences, from which the best alignment can be derived.
///
/// The kernel works on tiles. Sequences whose length is not a multiple of a tile's side are
/// extended on the GPU by symbols without similarity to any symbol. This extension does not change
/// the scores, because a score depends only on scores above it and to its left.
///
/// The result is verified exactly.
final class NeedlemanWunsch implements Workload {
    /// Cost of a symbol without a counterpart.
    static final int PENALTY = 10;

    /// Number of kinds of symbols, as for amino acids in common tables.
    private static final int SYMBOLS = 24;

    private static final WorkloadSize SIZE =
            new WorkloadSize("symbols of each sequence", 1, 1024, 4096);

    @Override
    public String name() {
        return "nw";
    }

    @Override
    public String summary() {
        return "aligns two sequences by Needleman-Wunsch: many launches of few threads";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), seed);
    }

    /// Returns the scores at the start of one of the sequences: row and column 0. All other scores
    /// are 0.
    private static int[] edges(int length) {
        int pitch = length + 1;
        int[] scores = new int[pitch * pitch];
        for (int i = 0; i < pitch; i++) {
            scores[i] = -i * PENALTY;
            scores[i * pitch] = -i * PENALTY;
        }
        return scores;
    }

    /// Returns all scores, with row and column 0.
    ///
    /// @param similarity similarity of each symbol of one sequence to each symbol of the other, row
    ///   by row
    /// @param length length of each sequence
    static int[] scores(int[] similarity, int length) {
        int[] scores = edges(length);
        int pitch = length + 1;
        for (int row = 1; row < pitch; row++) {
            for (int column = 1; column < pitch; column++) {
                int at = row * pitch + column;
                int like = similarity[(row - 1) * length + column - 1];
                int gap = Math.max(scores[at - pitch], scores[at - 1]) - PENALTY;
                scores[at] = Math.max(scores[at - pitch - 1] + like, gap);
            }
        }
        return scores;
    }

    private static final class Run extends KernelRun {
        private final int size;
        private final int tiles;
        private final int columns;
        private final int[] similarity;
        private final int[] scores;
        private DeviceMemory deviceSimilarity;
        private DeviceMemory deviceScores;

        Run(GpuContext context, int size, long seed) {
            super(context, "nw");
            this.size = size;
            tiles = Blocks.covering(size, SIDE);
            columns = tiles * SIDE;
            similarity = similarity(new SplittableRandom(seed));
            scores = edges(columns);
        }

        /// Returns the similarity of each symbol of one sequence to each symbol of the other
        /// sequence.
        private int[] similarity(SplittableRandom random) {
            int[][] table = table(random);
            int[] first = random.ints(size, 0, SYMBOLS).toArray();
            int[] second = random.ints(size, 0, SYMBOLS).toArray();
            int[] all = new int[columns * columns];
            for (int row = 0; row < size; row++) {
                for (int column = 0; column < size; column++) {
                    all[row * columns + column] = table[first[row]][second[column]];
                }
            }
            return all;
        }

        /// Creates a random table of the similarity of symbols; each symbol is most like itself.
        private static int[][] table(SplittableRandom random) {
            int[][] table = new int[SYMBOLS][SYMBOLS];
            for (int i = 0; i < SYMBOLS; i++) {
                for (int j = 0; j < i; j++) {
                    table[i][j] = random.nextInt(-4, 4);
                    table[j][i] = table[i][j];
                }
                table[i][i] = random.nextInt(4, 10);
            }
            return table;
        }

        @Override
        void allocateMemory() {
            deviceSimilarity = allocateWords(similarity.length);
            deviceScores = allocateWords(scores.length);
        }

        @Override
        public void copyIn() {
            copyIn(deviceSimilarity, MemorySegment.ofArray(similarity));
            copyIn(deviceScores, MemorySegment.ofArray(scores));
        }

        @Override
        public void launch() {
            for (int diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
                int firstX = Math.max(0, diagonal - (tiles - 1));
                int firstY = diagonal - firstX;
                Arguments arguments =
                        new Arguments()
                                .pointer(deviceScores)
                                .pointer(deviceSimilarity)
                                .i32(columns)
                                .i32(PENALTY)
                                .i32(firstX)
                                .i32(firstY);
                run("nw", LaunchShape.of(firstY - firstX + 1, SIDE), arguments);
            }
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            copyOut(result(), deviceScores);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(scores);
        }

        @Override
        public void verify() {
            Results.requireEqual("scores", scores, NeedlemanWunsch.scores(similarity, columns));
        }

        @Override
        public Work work() {
            return done((long) size * size, "cells");
        }
    }
}
