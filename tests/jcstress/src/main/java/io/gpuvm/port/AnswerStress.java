package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// A virtual machine that gives up while its request is carried out either gives up or has the
/// complete answer. First result: whether it gave up; second: whether it saw the answer, a refusal.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The machine gave up in time.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The answer came before.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A missing answer, or an answer after giving up.")
@State
public class AnswerStress {
    private static final GpuDeviceException REFUSAL = new GpuDeviceException("test refusal");

    private final Question question = new Question();

    @Actor
    public void owner() {
        question.carryOut(() -> {
            throw REFUSAL;
        });
    }

    @Actor
    public void machine(ZZ_Result result) {
        result.r1 = question.giveUp();
        if (!result.r1) {
            try {
                question.throwRefusal();
            } catch (GpuDeviceException e) {
                result.r2 = e.getCause() == REFUSAL;
            }
        }
    }
}
