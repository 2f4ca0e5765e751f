package io.gpuvm.pv.bare;

import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/// Wakes those who wait for the GPU to tell something.
///
/// Non-stall interrupts are let through only while somebody waits, as nouveau does it: whoever
/// polls memory costs no interrupt for each command. One that came before stays pending in PFIFO,
/// so that it is not lost but comes when it is let through.
final class InterruptWaiters {
    private static final int ALL = -1;

    private final RegisterPort registers;
    private final Condition changed;

    /// How many news each thread has seen.
    private final ThreadLocal<long[]> seen = ThreadLocal.withInitial(() -> new long[1]);

    private long count;
    private boolean armed;

    /// @param lock the transport's
    InterruptWaiters(RegisterPort registers, Lock lock) {
        this.registers = registers;
        this.changed = lock.newCondition();
    }

    /// Has PFIFO report errors, and nothing else until somebody waits.
    void enable() {
        arm(false);
    }

    /// Something has happened: wakes everybody.
    void tell() {
        count++;
        changed.signalAll();
        if (armed) {
            arm(false);
        }
    }

    /// Waits for news that came since this thread's last call, or for the time to be over.
    void await(long timeoutNs) throws InterruptedException {
        long[] mine = seen.get();
        if (mine[0] == count && timeoutNs > 0) {
            if (!armed) {
                arm(true);
            }
            // An early return is none of a caller's business: it looks again anyway.
            changed.awaitNanos(timeoutNs);
        }
        mine[0] = count;
    }

    private void arm(boolean nonStall) {
        armed = nonStall;
        registers.write(Pfifo.INTR_EN, Pfifo.INTR_ENGINE.with(ALL, nonStall ? 1 : 0));
    }
}
