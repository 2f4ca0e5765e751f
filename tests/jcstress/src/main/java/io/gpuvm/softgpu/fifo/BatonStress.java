package io.gpuvm.softgpu.fifo;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Mutual exclusion by the baton: only one thread holds it at a time, and that thread sees the
/// writes of the previous holder. The result is the number of lost increments of a counter that
/// both threads increment repeatedly.
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "One holder at a time.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Two holders at a time.")
@State
public class BatonStress {
    /// Limit that no slice of this test reaches, even on a busy processor.
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    /// Number of rounds, enough for the two threads to collide.
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
