package io.gpuvm.softgpu.fifo;

import io.gpuvm.linux.agent.ParkingState;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// Wake-up of an engine thread that falls asleep while a nudge is pending. First result: whether
/// the thread sleeps; second result: number of signals.
@JCStressTest
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "The sleeper saw the nudge in time.")
@Outcome(
        id = "false, 1",
        expect = Expect.ACCEPTABLE,
        desc = "The sleeper saw the nudge and is also signalled.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The sleeper sleeps and is woken.")
@Outcome(id = "true, 0", expect = Expect.FORBIDDEN, desc = "The sleeper sleeps indefinitely.")
@State
public class NudgeStress {
    private final ParkingState engineThread = new ParkingState();
    private final WorkSignal signal = new WorkSignal();

    public NudgeStress() {
        signal.wakes(engineThread.parking());
    }

    @Actor
    public void registers() {
        signal.nudge();
    }

    @Actor
    public void engines(ZI_Result result) {
        engineThread.announce();
        result.r1 = !signal.isPending();
    }

    @Arbiter
    public void end(ZI_Result result) {
        result.r2 = engineThread.signals();
    }
}
