package io.gpuvm.port;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Reuse of slots: a request is overwritten only after it has been executed.
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The ring was full.")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The second poll was too early.")
@Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "The slot was reused.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Overwritten, torn or lost.")
@State
public class RequestReuseStress extends RequestRingState {
    public RequestReuseStress() {
        super(1, 1);
    }

    @Actor
    public void machine(III_Result result) {
        if (ring.hasRoom()) {
            publish(2);
            result.r3 = 1;
        }
    }

    @Actor
    public void owner(III_Result result) {
        result.r1 = take();
        result.r2 = take();
    }
}
