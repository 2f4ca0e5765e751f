package io.gpuvm.workloads;

import static io.gpuvm.workloads.WallTracker.POINTS;
import static io.gpuvm.workloads.WallTracker.POSITION;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Tracking of the walls of a heart through the frames of an ultrasound video: one launch for each
/// frame, with one block for each point of the walls.
///
/// The result is verified exactly: all sums are of integers, and the kernel rounds quotients
/// correctly.
final class HeartWall implements Workload {
    private static final int SEARCH = 2 * WallTracker.SEARCH_RADIUS + 1;

    /// Number of operations per point and frame: a product and a sum per pixel and displacement.
    private static final long OPERATIONS = 2L * WallTracker.PIXELS * SEARCH * SEARCH;

    private static final WorkloadSize SIZE = new WorkloadSize("frames of the video", 1, 64, 2000);

    @Override
    public String name() {
        return "heartwall";
    }

    @Override
    public String summary() {
        return "tracks the walls of a heart in a video: correlations in shared memory, barriers";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, HeartVideo.random(SIZE.check(size), seed));
    }

    private static final class Run extends KernelRun {
        private final int[][] frames;
        private final int[] result;
        private DeviceMemory deviceFrame;
        private DeviceMemory points;
        private DeviceMemory templates;
        private DeviceMemory trace;

        Run(GpuContext context, HeartVideo video) {
            super(context, "heartwall");
            frames = video.frames();
            result = new int[frames.length * POINTS * POSITION];
        }

        @Override
        void allocateMemory() {
            deviceFrame = allocateWords(HeartVideo.SIDE * HeartVideo.SIDE);
            points = allocateWords(POINTS * POSITION);
            templates = allocateWords(POINTS * WallTracker.PIXELS);
            trace = allocateWords(result.length);
        }

        @Override
        public void copyIn() {
            copyIn(points, MemorySegment.ofArray(WallTracker.initialPositions()));
            copyIn(deviceFrame, MemorySegment.ofArray(frames[0]));
            stream().synchronize();
        }

        @Override
        public void launch() {
            LaunchShape shape = LaunchShape.of(POINTS, Blocks.THREADS);
            run("start", shape, arguments(0));
            for (int i = 1; i < frames.length; i++) {
                send(deviceFrame, MemorySegment.ofArray(frames[i]));
                run("track", shape, arguments(i));
            }
            stream().synchronize();
        }

        private Arguments arguments(int frame) {
            return new Arguments()
                    .pointer(deviceFrame)
                    .pointer(points)
                    .pointer(templates)
                    .pointer(trace, (long) frame * POINTS * POSITION * Integer.BYTES)
                    .i32(HeartVideo.SIDE)
                    .i32(HeartVideo.SIDE);
        }

        @Override
        public void copyOut() {
            copyOut(result(), trace);
        }

        @Override
        MemorySegment result() {
            return MemorySegment.ofArray(result);
        }

        @Override
        public void verify() {
            Results.requireEqual("positions", result, WallTracker.track(frames));
        }

        @Override
        public Work work() {
            return done((frames.length - 1) * POINTS * OPERATIONS, "op");
        }
    }
}
