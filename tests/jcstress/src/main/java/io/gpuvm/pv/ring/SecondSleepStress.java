package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Variant of [WakeStress] for a thread that wakes up spuriously and falls asleep again.
@JCStressTest
@Outcome(
        id = "false, false",
        expect = Expect.ACCEPTABLE,
        desc = "The sleeper saw the entry in time.")
@Outcome(
        id = "false, true",
        expect = Expect.ACCEPTABLE,
        desc = "The sleeper saw the entry and is also signalled.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The sleeper sleeps and is woken.")
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "The sleeper sleeps indefinitely.")
@State
public class SecondSleepStress extends RingState {
    public SecondSleepStress() {
        super(1, 0);
    }

    @Actor
    public void ringer() {
        publish(1);
        doorbell.ring();
    }

    @Actor
    public void sleeper(ZZ_Result result) {
        sleeper.announce();
        sleeper.withdraw();
        sleeper.announce();
        result.r1 = consumer.isEmpty();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r2 = signalled;
    }
}
