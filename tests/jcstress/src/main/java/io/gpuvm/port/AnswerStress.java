package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Race between the owner's answer to a request and a virtual machine that stops waiting for it:
/// either the machine stops waiting, or it receives the complete answer. First result: whether it
/// stopped waiting; second result: whether it received the answer, here a refusal.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The machine stopped waiting.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The answer arrived first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "No answer, or an answer after the wait.")
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
