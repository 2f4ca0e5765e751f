package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// Reuse of slots: an entry is overwritten only after it has been copied.
@JCStressTest
@Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "The ring was full.")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "The second poll was too early.")
@Outcome(id = "1, 2, 1", expect = Expect.ACCEPTABLE, desc = "The slot was reused.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Overwritten, torn or lost.")
@State
public class ReuseStress extends RingState {
    public ReuseStress() {
        super(1, 1);
    }

    @Actor
    public void producer(III_Result result) {
        result.r3 = publish(2) ? 1 : 0;
    }

    @Actor
    public void consumer(III_Result result) {
        result.r1 = take();
        consumer.release();
        result.r2 = take();
    }
}
