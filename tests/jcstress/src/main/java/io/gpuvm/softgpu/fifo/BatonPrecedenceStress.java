package io.gpuvm.softgpu.fifo;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Precedence of the register thread: an engine thread whose baton is requested does not acquire it
/// again before the register thread has held it. First result: whether the request arrived during
/// the slice of the engine thread; second result: whether the engine thread had another slice.
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The request followed the slice.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "A request in the next slice.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The request ended the slice.")
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "The request was ignored.")
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

    /// Acquires the baton and holds it.
    @Actor
    public void registers() {
        baton.acquire();
    }
}
