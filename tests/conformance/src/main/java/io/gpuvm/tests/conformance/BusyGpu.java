package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ClassId;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Continuous copies on a GPU until the process is killed, which may happen at any time.
final class BusyGpu {
    private static final int BYTES = 32 << 10;
    private static final int ENDLESS = 1;
    private static final long TELL_NS = TimeUnit.SECONDS.toNanos(1);

    private BusyGpu() {}

    /// Keeps the GPU busy until the thread is interrupted. Prints `busy` as soon as work is in
    /// progress, then once per second.
    ///
    /// @return false if the work failed
    static boolean run(PrintStream out, PrintStream err) {
        try (DrivenGpu gpu = new DrivenGpu(Place.ofProperty());
                Bench bench = new Bench(gpu)) {
            keepBusy(bench, out);
            return true;
        } catch (RuntimeException | AssertionError e) {
            e.printStackTrace(err);
            return false;
        }
    }

    private static void keepBusy(Bench bench, PrintStream out) {
        long data = Bench.HOST_VA + bench.allocate(2 * BYTES);
        EndlessCopy endless = EndlessCopy.on(bench, bench.channel(ENDLESS).start());
        TestChannel copy0 = bench.channel(ENDLESS + 1).start();
        TestChannel copy1 = bench.channel(ENDLESS + 2).start();
        bench.runlist(ENDLESS, copy0.id, copy1.id);
        long toldNs = System.nanoTime() - TELL_NS;
        while (!Thread.currentThread().isInterrupted()) {
            copy0.run(new Program().copy(ClassId.COPY0, data, Bench.VRAM_VA, BYTES));
            copy1.run(new Program().copy(ClassId.COPY1, Bench.VRAM_VA, data + BYTES, BYTES));
            endless.awaitProgress();
            if (System.nanoTime() - toldNs >= TELL_NS) {
                toldNs = System.nanoTime();
                out.println("busy");
                out.flush();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
