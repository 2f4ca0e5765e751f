package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.PvLimits;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// One guest's shared area, as either side sees it: its parts.
///
/// Layout and limits are this side's own copy: what the other side does to the header later changes
/// nothing here. The memory is whoever mapped it's to unmap, after which every access throws
/// [IllegalStateException]. Each ring end is made once and belongs to one thread; the rest is for
/// any thread.
public final class SharedArea {
    private static final VarHandle U32 = RingLayout.U32.varHandle();

    private final MemorySegment memory;
    private final AreaLayout layout;
    private final PvLimits limits;

    private SharedArea(MemorySegment memory, AreaLayout layout, PvLimits limits) {
        this.memory = memory;
        this.layout = layout;
        this.limits = limits;
    }

    /// Makes an area of fresh memory, which reads as zeros: the host's end.
    ///
    /// @param memory at least as long as the layout says
    public static SharedArea create(MemorySegment memory, AreaLayout layout, PvLimits limits) {
        MemorySegment area = memory.asSlice(0, layout.bytes());
        AreaHeader.write(area, layout, limits);
        return new SharedArea(area, layout, limits);
    }

    /// Looks at an area that the host has made: the guest's end.
    ///
    /// @throws IllegalArgumentException if it is none, or not of this version
    public static SharedArea attach(MemorySegment memory) {
        AreaLayout layout = AreaHeader.layout(memory);
        return new SharedArea(memory.asSlice(0, layout.bytes()), layout, AreaHeader.limits(memory));
    }

    /// Where the parts are.
    public AreaLayout layout() {
        return layout;
    }

    /// What the guest may have.
    public PvLimits limits() {
        return limits;
    }

    /// The whole area.
    public MemorySegment memory() {
        return memory;
    }

    /// The data area.
    public MemorySegment data() {
        return memory.asSlice(layout.data(), layout.dataBytes());
    }

    /// A channel's slot of the channel table.
    public ChannelSlot channel(int channel) {
        return new ChannelSlot().wrap(memory, layout.channelSlot(channel));
    }

    /// The guest's end of the submission ring.
    public RingProducer submissionProducer() {
        return new RingProducer(
                memory,
                layout.submissionRing(),
                layout.submissionEntries(),
                AreaLayout.SUBMISSION_HEAD);
    }

    /// The host's end of the submission ring.
    public RingConsumer submissionConsumer() {
        return new RingConsumer(
                memory,
                layout.submissionRing(),
                layout.submissionEntries(),
                AreaLayout.SUBMISSION_HEAD);
    }

    /// The host's end of the completion ring.
    public RingProducer completionProducer() {
        return new RingProducer(
                memory,
                layout.completionRing(),
                layout.completionEntries(),
                AreaLayout.COMPLETION_HEAD);
    }

    /// The guest's end of the completion ring.
    public RingConsumer completionConsumer() {
        return new RingConsumer(
                memory,
                layout.completionRing(),
                layout.completionEntries(),
                AreaLayout.COMPLETION_HEAD);
    }

    /// How the guest wakes the host.
    ///
    /// @param signal wakes it, once it sleeps
    public Doorbell hostDoorbell(Runnable signal) {
        return new Doorbell(memory, AreaLayout.HOST_SLEEPS, signal);
    }

    /// How the host wakes the guest.
    ///
    /// @param signal wakes it, once it sleeps
    public Doorbell guestDoorbell(Runnable signal) {
        return new Doorbell(memory, AreaLayout.GUEST_SLEEPS, signal);
    }

    /// How the host says that it sleeps.
    public Sleeper hostSleeper() {
        return new Sleeper(memory, AreaLayout.HOST_SLEEPS);
    }

    /// How the guest says that it sleeps.
    public Sleeper guestSleeper() {
        return new Sleeper(memory, AreaLayout.GUEST_SLEEPS);
    }

    /// How many news there were, modulo 2^32: channels' interrupts and failures. For the guest.
    public int news() {
        return (int) U32.getAcquire(memory, AreaLayout.NEWS);
    }

    /// Tells how many news there were; the host keeps count. Rings no doorbell.
    public void news(int count) {
        U32.setRelease(memory, AreaLayout.NEWS, count);
    }
}
