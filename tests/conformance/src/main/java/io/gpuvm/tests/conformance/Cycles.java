package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.device.InterruptKind;
import io.gpuvm.tests.support.EventLines;
import java.util.List;

/// Repeated opening and closing of the GPU. In each cycle the registers must be as at power-on, a
/// copy must succeed, and after a reset the registers must again be as at power-on.
final class Cycles {
    private static final int BYTES = 32 << 10;
    private static final int PATTERN = 0x1234_5678;

    private Cycles() {}

    static void run(int cycles, EventLines lines) {
        PowerOnState first = null;
        for (int i = 1; i <= cycles; i++) {
            String name = "Cycle." + i;
            long startNs = System.nanoTime();
            try (DrivenGpu gpu = new DrivenGpu(Place.ofProperty())) {
                PowerOnState opened = gpu.powerOn();
                if (first == null) {
                    first = opened;
                }
                check("opened", first, opened);
                try (Bench bench = new Bench(gpu)) {
                    work(bench, i);
                }
                gpu.device().reset();
                check("reset", first, PowerOnState.of(gpu.device()));
                lines.passed(name, startNs);
            } catch (RuntimeException | AssertionError e) {
                lines.failed(name, startNs, e);
            }
        }
    }

    private static void check(String when, PowerOnState first, PowerOnState now) {
        List<String> differences = first.differences(now);
        if (!differences.isEmpty()) {
            throw new AssertionError(
                    "registers when " + when + " differ from power-on: " + differences);
        }
    }

    /// Copies from host memory to VRAM and back, with an interrupt at the end.
    private static void work(Bench bench, int cycle) {
        long source = bench.allocate(BYTES);
        long target = bench.allocate(BYTES);
        bench.host().word(source + BYTES - Integer.BYTES, PATTERN + cycle);
        Signals signals = Signals.of(bench, InterruptKind.MSI);
        TestChannel channel = bench.running(1);
        InterruptSource interrupt = InterruptSource.nonStall(bench, channel);
        channel.run(
                new Program()
                        .copy(ClassId.M2MF, Bench.HOST_VA + source, Bench.VRAM_VA, BYTES)
                        .copy(ClassId.COPY0, Bench.VRAM_VA, Bench.HOST_VA + target, BYTES));
        interrupt.raise();
        int found = bench.host().word(target + BYTES - Integer.BYTES);
        if (found != PATTERN + cycle) {
            throw new AssertionError(
                    "copied word=%#x, expected=%#x".formatted(found, PATTERN + cycle));
        }
        signals.await(1);
    }
}
