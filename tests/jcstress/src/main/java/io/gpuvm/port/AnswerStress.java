package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Race between the answer to a request and the virtual machine's attempt to give up waiting for
/// it: either the attempt succeeds, or the virtual machine sees the complete answer. First result:
/// whether the attempt succeeded; second result: whether the virtual machine saw the answer, a
/// refusal.
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The virtual machine gave up.")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The answer arrived first.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The answer is missing, or was seen after giving up.")
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
