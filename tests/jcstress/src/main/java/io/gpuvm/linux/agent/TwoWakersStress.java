package io.gpuvm.linux.agent;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Race of two threads that wake a sleeping thread: exactly one of them signals.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One signal.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No signal, or more than one.")
@State
public class TwoWakersStress {
    private final CountedSignals point = new CountedSignals();
    private final Parking parking = new Parking(point);

    public TwoWakersStress() {
        parking.announce();
    }

    @Actor
    public void waker() {
        parking.wake();
    }

    @Actor
    public void other() {
        parking.wake();
    }

    @Arbiter
    public void end(I_Result result) {
        result.r1 = point.signals();
    }
}
