package io.gpuvm.softgpu.fifo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// An engine thread that was asked for the baton does not get it again before the register thread
/// has had it. First: whether it was asked during its slice; second: whether it got another slice.
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "It was asked after its slice.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "It was asked in the next one.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It was asked, and went away.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "It was asked, and went on.")
@State
public class BatonPrecedenceStress {
    private final Baton baton = new Baton(BatonStress.LIMIT_NS);

    public BatonPrecedenceStress() {
        baton.acquire();
    }

    @Actor
    public void engines(ZZ_Result result) {
        result.r1 = baton.yieldRequested();
        baton.release();
        result.r2 = baton.tryTake();
        if (result.r2) {
            baton.release();
        }
    }

    /// Keeps it.
    @Actor
    public void registers() {
        baton.acquire();
    }
}
