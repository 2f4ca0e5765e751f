package io.gpuvm.port;

import io.gpuvm.linux.agent.ParkingState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// Wake-up of an owner that falls asleep while a request is published. First result: whether the
/// owner sleeps; second result: number of signals.
@JCStressTest
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "The owner saw the request.")
@Outcome(
        id = "false, 1",
        expect = Expect.ACCEPTABLE,
        desc = "The owner saw the request and is also signalled.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The owner sleeps and is woken.")
@Outcome(id = "true, 0", expect = Expect.FORBIDDEN, desc = "The owner sleeps indefinitely.")
@State
public class RequestWakeStress extends RequestRingState {
    private final ParkingState ownersThread = new ParkingState();

    public RequestWakeStress() {
        super(2, 1);
    }

    @Actor
    public void machine() {
        if (publish(2)) {
            ownersThread.parking().wake();
        }
    }

    @Actor
    public void owner(ZI_Result result) {
        take();
        ownersThread.announce();
        result.r1 = ring.isEmpty();
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r2 = ownersThread.signals();
    }
}
