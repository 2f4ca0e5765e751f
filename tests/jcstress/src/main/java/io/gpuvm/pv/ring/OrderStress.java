package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Order of entries: each arrives complete, in order, and once.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Both polls were too early.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The first poll was too early.")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The second poll was too early.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Both entries had arrived.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Torn, reordered, lost or duplicated.")
@State
public class OrderStress extends RingState {
    public OrderStress() {
        super(2, 0);
    }

    @Actor
    public void producer() {
        publish(1);
        publish(2);
    }

    @Actor
    public void consumer(II_Result result) {
        result.r1 = take();
        result.r2 = take();
    }
}
