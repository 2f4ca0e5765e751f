package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Threads that wait for an event of the GPU, such as an interrupt.
///
/// Non-stall interrupts are enabled only while a thread waits, as in nouveau, so that commands of a
/// thread that polls memory cause no interrupts. An interrupt that occurs while non-stall
/// interrupts are disabled stays pending in PFIFO, and is delivered when they are enabled.
final class InterruptWaiters {
    private static final int ALL = -1;

    private final RegisterPort registers;
    private final Condition changed;

    /// Number of events that a thread has seen, by thread.
    private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

    private long count;
    private boolean armed;

    /// @param lock lock of the transport
    InterruptWaiters(RegisterPort registers, Lock lock) {
        this.registers = registers;
        this.changed = lock.newCondition();
    }

    /// Enables reports of errors, and disables non-stall interrupts until a thread waits.
    void enable() {
        arm(false);
    }

    /// Records an event, and wakes all waiting threads.
    void tell() {
        count++;
        changed.signalAll();
        if (armed) {
            arm(false);
        }
    }

    /// Waits until an event has occurred since this thread's last call, or until the timeout.
    void await(long timeoutNs) throws InterruptedException {
        long[] mine = seen.get();
        if (mine[0] == count && timeoutNs > 0) {
            if (!armed) {
                arm(true);
            }
            // An early return is harmless: the caller checks its condition again.
            changed.awaitNanos(timeoutNs);
        }
        mine[0] = count;
    }

    private void arm(boolean nonStall) {
        armed = nonStall;
        registers.write(Pfifo.INTR_EN, Pfifo.INTR_ENGINE.with(ALL, nonStall ? 1 : 0));
    }
}
