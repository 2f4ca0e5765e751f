package io.gpuvm.port;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// The owner learns of the last put index that a doorbell rang for: by the record of an earlier
/// ring, or by one of its own. First: whether it has one of its own; second: the index of the
/// earlier.
@JCStressTest
@Outcome(id = "false, 2", expect = Expect.ACCEPTABLE, desc = "The earlier record says it.")
@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "It has a record of its own.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Nobody is told of it, or twice.")
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
