package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/// Publication of a channel's failure: a guest that sees the failure sees all of it.
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "No failure yet, or the complete failure.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Only part of the failure.")
@State
public class SlotStress {
    private static final ChannelFailure FAILURE =
            new ChannelFailure(ChannelFailure.Kind.METHOD, "data 0x1 to method 0x2");

    private final MemorySegment memory =
            MemorySegment.ofArray(new long[ChannelSlot.BYTES / Long.BYTES]);
    private final ChannelSlot host = new ChannelSlot().wrap(memory, 0).open();
    private final ChannelSlot guest = new ChannelSlot().wrap(memory, 0);

    @Actor
    public void host() {
        host.fail(ChannelSlot.DEAD, FAILURE);
    }

    @Actor
    public void guest(Z_Result result) {
        ChannelFailure seen = guest.failure();
        result.r1 = seen == null || seen.equals(FAILURE);
    }
}
