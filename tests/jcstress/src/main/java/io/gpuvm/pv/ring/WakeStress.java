package io.gpuvm.pv.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Wake-up of a thread that falls asleep while an entry is published. First result: whether the
/// thread sleeps; second result: whether it is signalled.
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
public class WakeStress extends RingState {
    public WakeStress() {
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
        result.r1 = consumer.isEmpty();
    }

    @Arbiter
    public void end(ZZ_Result result) {
        result.r2 = signalled;
    }
}
