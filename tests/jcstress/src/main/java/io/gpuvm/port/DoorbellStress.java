package io.gpuvm.port;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// Delivery of a doorbell's last put index to the owner, in the record of an earlier ring or in a
/// separate record. First result: whether the second ring has a separate record; second result: the
/// index in the earlier record.
@JCStressTest
@Outcome(
        id = "false, 2",
        expect = Expect.ACCEPTABLE,
        desc = "The earlier record contains the index.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "The second ring has its own record.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The index is lost, or reported twice.")
@State
public class DoorbellStress {
    private static final int CHANNEL = 3;

    private final PendingDoorbells doorbells = new PendingDoorbells();

    public DoorbellStress() {
        doorbells.ring(CHANNEL, 1);
    }

    @Actor
    public void machine(ZI_Result result) {
        result.r1 = doorbells.ring(CHANNEL, 2);
    }

    @Actor
    public void owner(ZI_Result result) {
        result.r2 = doorbells.take(CHANNEL);
    }
}
