package io.gpuvm.softgpu.fifo;

import io.gpuvm.linux.agent.ParkingState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Delivery of kicks: each kick is consumed once, after the preceding writes are visible, and an
/// engine thread that falls asleep while a kick is pending is woken. First result: whether all
/// kicks were consumed in this way; second result: whether the thread was signalled once, or was
/// not signalled because it had consumed all kicks.
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "All consumed, at most one signal.")
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "No wake-up, or more than one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A kick too early, lost or duplicated.")
@State
public class KickStress {
    /// Number of kicks, enough for the two threads to collide.
    private static final int KICKS = 16;

    private static final int ALL = (1 << KICKS) - 1;

    private final ParkingState engineThread = new ParkingState();
    private final WorkSignal signal = new WorkSignal();
    private int written;
    private int taken;
    private boolean isSound = true;

    public KickStress() {
        signal.wakes(engineThread.parking());
    }

    @Actor
    public void registers() {
        for (int n = 0; n < KICKS; n++) {
            written = n;
            signal.kick(n);
        }
    }

    @Actor
    public void engines() {
        for (int round = 0; round < KICKS; round++) {
            take();
        }
        engineThread.announce();
        take();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        int before = taken;
        take();
        result.r1 = isSound && taken == ALL;
        int signals = engineThread.signals();
        result.r2 = signals == 1 || signals == 0 && before == ALL;
    }

    private void take() {
        int kicks = (int) signal.take(0);
        int last = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(kicks);
        isSound &= (kicks & taken) == 0 && written >= last;
        taken |= kicks;
    }
}
