package io.gpuvm.linux.agent;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// Wake-up of a thread that falls asleep while work is passed to it by a plain write. First result:
/// whether the thread sleeps; second result: number of signals.
@JCStressTest
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "The sleeper saw the work in time.")
@Outcome(
        id = "false, 1",
        expect = Expect.ACCEPTABLE,
        desc = "The sleeper saw the work and is also signalled.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The sleeper sleeps and is woken.")
@Outcome(id = "true, 0", expect = Expect.FORBIDDEN, desc = "The sleeper sleeps indefinitely.")
@State
public class ParkStress {
    private final CountedSignals point = new CountedSignals();
    private final Parking parking = new Parking(point);
    private int handed;

    @Actor
    public void waker() {
        handed = 1;
        parking.wake();
    }

    @Actor
    public void sleeper(ZI_Result result) {
        parking.announce();
        result.r1 = handed == 0;
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r2 = point.signals();
    }
}
