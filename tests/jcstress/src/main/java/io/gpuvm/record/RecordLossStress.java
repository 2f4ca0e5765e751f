package io.gpuvm.record;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Loss of records in a full ring while the recorder frees room: lost records are counted, and the
/// loss is recorded at its position.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "There was room for both records.")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "There was room for the second record.")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "There was room for neither record.")
@Outcome(
        expect = Expect.FORBIDDEN,
        desc = "Torn, lost without a report, or loss at the wrong position.")
@State
public class RecordLossStress extends RecordRingState {
    private static final int FIRST = CAPACITY + 1;
    private static final int SECOND = FIRST + 1;
    private static final int LAST = SECOND + 1;

    public RecordLossStress() {
        super(CAPACITY);
    }

    @Actor
    public void maker() {
        publish(FIRST);
        publish(SECOND);
    }

    @Actor
    public void recorder() {
        takeAll();
    }

    @Arbiter
    public void end(I_Result result) {
        takeAll();
        publish(LAST);
        takeAll();
        result.r1 = close(LAST + 1);
    }
}
