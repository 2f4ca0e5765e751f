package io.gpuvm.softgpu.fifo;

import io.gpuvm.linux.agent.ParkingState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Each kick is taken once, after what was written before it, and an engine thread that falls
/// asleep over one is woken. First: whether all kicks were taken so; second: whether it was
/// signalled once at most, and surely if it left a kick where it was.
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "As it must be.")
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "Slept through, or told twice.")
@Outcome(expect = Expect.FORBIDDEN, desc = "One too early, lost, or taken twice.")
@State
public class KickStress {
    /// So many kicks that the two meet.
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
