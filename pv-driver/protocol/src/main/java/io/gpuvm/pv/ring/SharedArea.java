package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.RingProtocol;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Parts of one guest's shared area, as seen by either side.
///
/// Layout and limits are this side's private copies: later writes of the other side to the header
/// have no effect here. The code that mapped the memory unmaps it; every later access throws
/// [IllegalStateException]. Each ring end must be created only once, and belongs to one thread; any
/// thread may use all other parts.
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

    /// Creates an area in new memory, which must consist of zeros. Called by the host.
    ///
    /// @param memory memory, at least as long as the layout requires
    public static SharedArea create(MemorySegment memory, AreaLayout layout, PvLimits limits) {
        return create(memory, RingProtocol.COMMANDS, layout, limits);
    }

    /// Creates an area as [#create(MemorySegment, AreaLayout, PvLimits)] does.
    ///
    /// @param protocol protocol of the rings
    public static SharedArea create(
            MemorySegment memory, RingProtocol protocol, AreaLayout layout, PvLimits limits) {
        MemorySegment area = memory.asSlice(0, layout.bytes());
        AreaHeader.write(area, protocol, layout, limits);
        return new SharedArea(area, layout, limits);
    }

    /// Attaches to an area that the host has created. Called by the guest.
    ///
    /// @throws IllegalArgumentException if the memory is not an area of this version, if the header
    ///   is invalid, or if the memory is shorter than the header states
    public static SharedArea attach(MemorySegment memory) {
        return attach(memory, RingProtocol.COMMANDS);
    }

    /// Attaches to an area as [#attach(MemorySegment)] does.
    ///
    /// @param protocol expected protocol of the rings
    public static SharedArea attach(MemorySegment memory, RingProtocol protocol) {
        AreaLayout layout = AreaHeader.layout(memory, protocol);
        return new SharedArea(memory.asSlice(0, layout.bytes()), layout, AreaHeader.limits(memory));
    }

    /// Returns the layout of the area.
    public AreaLayout layout() {
        return layout;
    }

    /// Returns the limits of the guest.
    public PvLimits limits() {
        return limits;
    }

    /// Returns the memory of the whole area.
    public MemorySegment memory() {
        return memory;
    }

    /// Returns the memory of the data area.
    public MemorySegment data() {
        return memory.asSlice(layout.data(), layout.dataBytes());
    }

    /// Returns the slot of a channel in the channel table.
    public ChannelSlot channel(int channel) {
        return new ChannelSlot().wrap(memory, layout.channelSlot(channel));
    }

    /// Returns the guest's end of the submission ring.
    public RingProducer submissionProducer() {
        return new RingProducer(
                memory,
                layout.submissionRing(),
                layout.submissionEntries(),
                AreaLayout.SUBMISSION_HEAD);
    }

    /// Returns the host's end of the submission ring.
    public RingConsumer submissionConsumer() {
        return new RingConsumer(
                memory,
                layout.submissionRing(),
                layout.submissionEntries(),
                AreaLayout.SUBMISSION_HEAD);
    }

    /// Returns the host's end of the completion ring.
    public RingProducer completionProducer() {
        return new RingProducer(
                memory,
                layout.completionRing(),
                layout.completionEntries(),
                AreaLayout.COMPLETION_HEAD);
    }

    /// Returns the guest's end of the completion ring.
    public RingConsumer completionConsumer() {
        return new RingConsumer(
                memory,
                layout.completionRing(),
                layout.completionEntries(),
                AreaLayout.COMPLETION_HEAD);
    }

    /// Returns the doorbell by which the guest wakes the host.
    ///
    /// @param signal wakes the sleeping host
    public Doorbell hostDoorbell(Runnable signal) {
        return new Doorbell(memory, AreaLayout.HOST_SLEEPS, signal);
    }

    /// Returns the doorbell by which the host wakes the guest.
    ///
    /// @param signal wakes the sleeping guest
    public Doorbell guestDoorbell(Runnable signal) {
        return new Doorbell(memory, AreaLayout.GUEST_SLEEPS, signal);
    }

    /// Returns the word in which the host announces that it is about to sleep.
    public Sleeper hostSleeper() {
        return new Sleeper(memory, AreaLayout.HOST_SLEEPS);
    }

    /// Returns the word in which the guest announces that it is about to sleep.
    public Sleeper guestSleeper() {
        return new Sleeper(memory, AreaLayout.GUEST_SLEEPS);
    }

    /// Returns the number of events, modulo 2^32: interrupts and failures of channels. Called by
    /// the guest.
    public int news() {
        return (int) U32.getAcquire(memory, AreaLayout.NEWS);
    }

    /// Publishes the number of events, which the host counts. Does not ring the doorbell.
    public void news(int count) {
        U32.setRelease(memory, AreaLayout.NEWS, count);
    }
}
