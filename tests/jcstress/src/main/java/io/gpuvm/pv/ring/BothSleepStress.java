package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Race of two sides that each publish an entry and fall asleep. Each result is true if a side
/// sleeps and was not woken.
@JCStressTest
@Outcome(
        id = "false, false",
        expect = Expect.ACCEPTABLE,
        desc = "Each side saw the entry or was woken.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A side sleeps indefinitely.")
@State
public class BothSleepStress {
    private final RingState left = new RingState(1, 0);
    private final RingState right = new RingState(1, 0);

    @Actor
    public void left(ZZ_Result result) {
        right.publish(1);
        right.doorbell.ring();
        left.sleeper.announce();
        result.r1 = left.consumer.isEmpty();
    }

    @Actor
    public void right(ZZ_Result result) {
        left.publish(1);
        left.doorbell.ring();
        right.sleeper.announce();
        result.r2 = right.consumer.isEmpty();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r1 &= !left.signalled;
        result.r2 &= !right.signalled;
    }
}
