package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.PinnedMemory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Closed loop of commands of known length: on each stream, the guest submits a command after it
/// has detected the end of the previous command, at the time that the [SpinPlan] permits.
///
/// The guest detects the end promptly without constant polling: a kernel announces its start, so
/// the guest sleeps until shortly before the kernel's end, and polls from then on.
///
/// Confined to one thread.
public final class SpinLoop implements AutoCloseable {
    /// Time before a kernel's end at which the guest wakes: a sleep may exceed its requested length
    /// by Linux's timer slack of 50 us and the time of the wake-up.
    private static final long MARGIN_NS = TimeUnit.MICROSECONDS.toNanos(150);

    /// Minimum length of a sleep; shorter sleeps bring no benefit.
    private static final long LEAST_NAP_NS = TimeUnit.MICROSECONDS.toNanos(60);

    /// Maximum length of a sleep, because a kernel may begin during the sleep.
    private static final long MOST_NAP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /// Number of polls for the start of a kernel in an interval of the kernel's length.
    private static final int LOOKS_OF_LENGTH = 4;

    private static final long WARM_LENGTH_NS = TimeUnit.MICROSECONDS.toNanos(5);

    private final SpinPlan plan;
    private final GpuModule module;
    private final GpuKernel kernel;
    private final PinnedMemory memory;
    private final Slot[] slots;
    private final SpinTrace trace = new SpinTrace();
    private long startNs;

    /// @throws io.gpuvm.pv.runtime.GpuException if not enough memory is left
    public SpinLoop(GpuContext context, SpinPlan plan) {
        this.plan = plan;
        module = context.load(Spin.cubin());
        kernel = module.kernel("spin");
        memory = context.allocatePinned((long) plan.outstanding() * SpinNotes.BYTES);
        slots = new Slot[plan.outstanding()];
        Arrays.setAll(slots, i -> new Slot(context.newStream(), i));
    }

    /// Runs short commands before the measurement, so that code is compiled and the offset of the
    /// clocks is known.
    ///
    /// @param commands number of commands on each stream
    public void warmUp(int commands) {
        for (Slot slot : slots) {
            for (int i = 0; i < commands; i++) {
                slot.submit(WARM_LENGTH_NS);
                while (!slot.poll()) {
                    Thread.onSpinWait();
                }
            }
        }
        trace.clear();
    }

    /// Runs the loop between two times of [System#nanoTime()], and until all commands that were
    /// submitted in this interval have ended.
    ///
    /// @return commands that ran; the next call overwrites them
    /// @throws WrongResultException if a kernel did not spin as requested
    public SpinTrace run(long fromNs, long toNs) {
        trace.clear();
        startNs = fromNs;
        for (Slot slot : slots) {
            slot.submitAtNs = fromNs;
        }
        long lengthNs = plan.length().toNanos();
        long nowNs = System.nanoTime();
        while (nowNs - toNs < 0 || isAnyUnderWay()) {
            long napNs = MOST_NAP_NS;
            for (Slot slot : slots) {
                napNs = Math.min(napNs, slot.step(lengthNs, toNs));
            }
            if (napNs >= LEAST_NAP_NS) {
                LockSupport.parkNanos(napNs);
            } else {
                Thread.onSpinWait();
            }
            nowNs = System.nanoTime();
        }
        return trace;
    }

    @Override
    public void close() {
        for (Slot slot : slots) {
            slot.stream.close();
        }
        memory.close();
        module.close();
    }

    private boolean isAnyUnderWay() {
        for (Slot slot : slots) {
            if (slot.underWay) {
                return true;
            }
        }
        return false;
    }

    /// Stream with one command at a time.
    private final class Slot {
        private final GpuStream stream;
        private final long offset;
        private final SpinNotes notes;
        private boolean underWay;
        private long askedNs;
        private long submittedNs;
        private long submitAtNs;

        Slot(GpuStream stream, int index) {
            this.stream = stream;
            offset = (long) index * SpinNotes.BYTES;
            notes = new SpinNotes(memory.segment().asSlice(offset, SpinNotes.BYTES));
        }

        void submit(long lengthNs) {
            notes.clear();
            askedNs = lengthNs;
            submittedNs = System.nanoTime();
            underWay = true;
            stream.launch(
                    kernel,
                    Spin.ONE_THREAD,
                    new Arguments().pointer(memory, offset).i32((int) lengthNs));
        }

        /// Polls for the end of the command in flight, and records the command if it has ended.
        ///
        /// @return whether the command has ended
        boolean poll() {
            if (!stream.isDone()) {
                return false;
            }
            long seenNs = System.nanoTime();
            notes.verify(askedNs);
            trace.add(submittedNs, notes.beginNs(), notes.passedNs(), seenNs);
            underWay = false;
            submitAtNs = startNs + plan.nextNs(seenNs + plan.think().toNanos() - startNs);
            return true;
        }

        /// Polls or submits a command, if either is due.
        ///
        /// @return nanoseconds until the next step is due
        long step(long lengthNs, long toNs) {
            if (underWay && !poll()) {
                return nanosUntilLook();
            }
            long nowNs = System.nanoTime();
            if (submitAtNs - toNs >= 0) {
                return nowNs - toNs < 0 ? toNs - nowNs : MOST_NAP_NS;
            }
            if (submitAtNs - nowNs <= 0) {
                submit(lengthNs);
                return 0;
            }
            return submitAtNs - nowNs - LEAST_NAP_NS;
        }

        private long nanosUntilLook() {
            long beganNs = notes.beginNs();
            if (beganNs == 0) {
                return askedNs / LOOKS_OF_LENGTH;
            }
            long endNs = beganNs + trace.gpuToHostNs() + askedNs;
            return endNs - System.nanoTime() - MARGIN_NS;
        }
    }
}
