package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Race of two threads that ring while a thread sleeps: exactly one of them signals.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The first thread signals.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The second thread signals.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Neither thread signals, or both.")
@State
public class TwoRingersStress extends RingState {
    public TwoRingersStress() {
        super(1, 0);
        sleeper.announce();
    }

    @Actor
    public void one(ZZ_Result result) {
        result.r1 = doorbell.ring();
    }

    @Actor
    public void other(ZZ_Result result) {
        result.r2 = doorbell.ring();
    }
}
