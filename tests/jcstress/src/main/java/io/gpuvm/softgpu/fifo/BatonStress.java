package io.gpuvm.softgpu.fifo;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// One thread has the baton at a time, and sees what the last one wrote. The result is how many
/// changes are lost that both made, several times in a row.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "They had it one after the other.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Both had it at once.")
@State
public class BatonStress {
    /// Longer than a slice here takes on a processor that others use.
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// So many that the two meet.
    private static final int ROUNDS = 16;

    private final Baton baton = new Baton(LIMIT_NS);
    private int changes;
    private int slices;

    @Actor
    public void engines() {
        int had = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (baton.tryTake()) {
                changes++;
                had++;
                baton.release();
            }
        }
        slices = had;
    }

    @Actor
    public void registers() {
        for (int round = 0; round < ROUNDS; round++) {
            baton.acquire();
            changes++;
            baton.release();
        }
    }

    @Arbiter
    public void end(I_Result result) {
        result.r1 = ROUNDS + slices - changes;
    }
}
