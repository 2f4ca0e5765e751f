package io.gpuvm.port;

import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// An owner that falls asleep while a request is published is woken. First result: whether the
/// owner sleeps; second: whether it is woken. The owner announces its sleep, which is a full fence,
/// before its last check.
@JCStressTest
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "The owner saw the request.")
@Outcome(
        id = "false, true",
        expect = Expect.ACCEPTABLE,
        desc = "The owner saw the request, and is woken, too.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The owner sleeps, and is woken.")
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "The owner sleeps indefinitely.")
@State
public class RequestWakeStress extends RequestRingState {
    public RequestWakeStress() {
        super(2, 1);
    }

    @Actor
    public void machine(ZZ_Result result) {
        result.r2 = publish(2);
    }

    @Actor
    public void owner(ZZ_Result result) {
        take();
        VarHandle.fullFence();
        result.r1 = ring.isEmpty();
    }
}
