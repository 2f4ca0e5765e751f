package io.gpuvm.workloads.request;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.PinnedMemory;
import java.util.Locale;

/// Durations of single copies of pinned memory, until the program has detected the end of the copy.
final class CopyTimes {
    /// Direction of a copy.
    enum Direction {
        IN,
        OUT;

        /// @throws IllegalArgumentException if there is no such direction
        static Direction named(String name) {
            for (Direction each : values()) {
                if (each.name().toLowerCase(Locale.ROOT).equals(name)) {
                    return each;
                }
            }
            throw new IllegalArgumentException(
                    "direction=%s, expected one of in, out".formatted(name));
        }
    }

    private CopyTimes() {}

    /// Copies once, so that all pages exist, and then repeatedly.
    ///
    /// @return duration of each copy but the first, in nanoseconds
    static long[] measure(GpuContext context, Direction direction, long bytes, int count) {
        try (PinnedMemory host = context.allocatePinned(bytes);
                DeviceMemory device = context.allocate(bytes)) {
            host.segment().fill((byte) 1);
            GpuStream stream = context.defaultStream();
            copy(stream, direction, host, device);
            long[] ns = new long[count];
            for (int i = 0; i < count; i++) {
                long startNs = System.nanoTime();
                copy(stream, direction, host, device);
                ns[i] = System.nanoTime() - startNs;
            }
            return ns;
        }
    }

    private static void copy(
            GpuStream stream, Direction direction, PinnedMemory host, DeviceMemory device) {
        switch (direction) {
            case IN -> stream.copyToDevice(device, 0, host, 0, host.bytes());
            case OUT -> stream.copyToHost(host, 0, device, 0, host.bytes());
        }
        stream.synchronize();
    }
}
