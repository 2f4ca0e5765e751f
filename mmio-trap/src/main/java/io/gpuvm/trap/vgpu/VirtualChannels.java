package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.fifo.ChannelControl;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.shadow.Binding;
import io.gpuvm.shadow.ShadowChannel;
import io.gpuvm.shadow.ShadowSpaces;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.IntConsumer;

/// Channels of a guest. Each bound channel has a [ShadowChannel], which runs on the GPU in its
/// place.
///
/// Doorbells do not reach the GPU directly: hardware reads the shadow's USERD, which the owner
/// writes at the channel's turn. Confined to the virtual machine's thread.
final class VirtualChannels implements ChannelControl {
    private final PhysicalMemory memory;
    private final ShadowSpaces spaces;
    private final GpuRequests requests;
    private final Runnable flushStale;
    private final IntConsumer onFaultsReleased;
    private final IntConsumer onUnbound;
    private final IntConsumer onRefused;
    private final VirtualChannel[] channels = new VirtualChannel[Pfifo.CHANNELS];

    /// Preemptions in flight, in order. An element is a shadow to be released after the preemption,
    /// or the number of a channel for whose preemption the guest waits.
    private final ArrayDeque<Object> preempts = new ArrayDeque<>();

    private final Userd userd = new Userd();

    /// Observer of doorbells.
    private GuestMemoryTap tap = GuestMemoryTap.NONE;

    /// @param memory physical memory of the guest
    /// @param onFaultsReleased receives the units, one bit each, whose reports the driver has
    ///   acknowledged
    /// @param onUnbound receives a channel that has been unbound
    /// @param onRefused receives a refused channel whose doorbell the guest has rung
    /// @param flushStale flushes the GPU's translations of changed shadow directories
    VirtualChannels(
            PhysicalMemory memory,
            ShadowSpaces spaces,
            GpuRequests requests,
            Runnable flushStale,
            IntConsumer onFaultsReleased,
            IntConsumer onUnbound,
            IntConsumer onRefused) {
        this.memory = memory;
        this.spaces = spaces;
        this.requests = requests;
        this.flushStale = flushStale;
        this.onFaultsReleased = onFaultsReleased;
        this.onUnbound = onUnbound;
        this.onRefused = onRefused;
        Arrays.setAll(channels, _ -> new VirtualChannel());
    }

    /// Sets the observer of doorbells. Called once, before any other method.
    void onDoorbell(GuestMemoryTap listener) {
        tap = listener;
    }

    /// Returns the shadow of a channel, or null if the channel is not bound.
    ShadowChannel shadow(int channel) {
        return channels[channel].shadow();
    }

    /// Called when the guest has rung a channel's doorbell.
    void ring(int channel, int put) {
        VirtualChannel rings = channels[channel];
        ShadowChannel shadow = rings.shadow();
        if (shadow == null) {
            if (rings.state() == VirtualChannel.State.REFUSED) {
                rings.onReported();
                onRefused.accept(channel);
            }
            return;
        }
        // A doorbell without new entries has no effect, so that a flood of doorbells costs only the
        // guest.
        if (put == rings.rung()) {
            return;
        }
        if (shadow.prepare()) {
            flushStale.run();
        }
        tap.onRing(shadow, rings.rung(), put);
        rings.ring(put);
        requests.ring(channel, put);
    }

    /// Called when a preemption is complete.
    ///
    /// @return whether the guest waits for the preemption
    boolean onPreempted() {
        Object first = preempts.poll();
        if (first instanceof ShadowChannel gone) {
            channels[gone.guestId()].onReleased();
            gone.release();
        }
        if (first instanceof Integer channel && shadow(channel) != null) {
            shadow(channel).save();
        }
        return first instanceof Integer;
    }

    /// Forgets all channels, which the GPU has already released.
    void forgetAll() {
        for (Object waiting : preempts) {
            if (waiting instanceof ShadowChannel gone) {
                gone.release();
            }
        }
        preempts.clear();
        for (VirtualChannel channel : channels) {
            ShadowChannel shadow = channel.forget();
            if (shadow != null) {
                shadow.release();
            }
        }
    }

    @Override
    public void bind(int channel, MemoryTarget target, long instanceAddress) {
        unbind(channel);
        switch (ShadowChannel.bind(spaces, channel, target, instanceAddress)) {
            // ShadowChannel has counted and logged the refusal; the channel has no shadow.
            case Binding.Refused _ -> channels[channel].refuse();
            case ShadowChannel shadow -> {
                channels[channel].bind(shadow, userd.wrap(shadow.userd(), 0).ibGet());
                requests.bind(channel, shadow.instanceIova(), shadow.userdIova());
            }
        }
    }

    @Override
    public void unbind(int channel) {
        ShadowChannel shadow = channels[channel].unbind();
        if (shadow == null) {
            return;
        }
        preempts.add(shadow);
        onUnbound.accept(channel);
        requests.unbind(channel);
        // The preemption completes after the unbinding, and thus after hardware has saved the
        // channel's last state.
        requests.preempt(channel);
    }

    @Override
    public void run(int channel, boolean runnable) {
        requests.run(channel, runnable);
        if (runnable) {
            ringFromMemory(channel);
        }
    }

    @Override
    public int status(int channel) {
        return isPresent(channel) ? requests.channelState(channel) : 0;
    }

    /// Returns the status of an engine in the guest's view (register 0x002640).
    int engineStatus(int engine) {
        int status = requests.engineStatus(engine);
        return isPresent(Pfifo.STATUS_CHANNEL.get(status)) ? status : 0;
    }

    @Override
    public boolean commitRunlist(int[] listed, int count) {
        requests.runlist(listed, count);
        for (int i = 0; i < count; i++) {
            ringFromMemory(listed[i]);
        }
        return false;
    }

    @Override
    public boolean preempt(int channel) {
        requests.preempt(channel);
        preempts.add(channel);
        return false;
    }

    @Override
    public void freeze(int engineBits) {
        requests.freeze(engineBits);
        for (int channel = 0; engineBits == 0 && channel < channels.length; channel++) {
            ringFromMemory(channel);
        }
    }

    @Override
    public void injectFault(int engine, int unit) {
        requests.injectFault(engine, unit);
    }

    @Override
    public void releaseFaults(int units) {
        onFaultsReleased.accept(units);
    }

    @Override
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        requests.releaseMethod(pbdma, method, data, bits);
    }

    /// Updates, from the guest's tables, the shadow tables that hardware currently uses, including
    /// changes that could otherwise wait for the next doorbell.
    ///
    /// @return whether the GPU's translations must be flushed
    boolean prepareBusy() {
        boolean toFlush = false;
        for (int channel = 0; channel < channels.length; channel++) {
            if (shadow(channel) != null && isBusy(channel)) {
                toFlush |= shadow(channel).prepare();
            }
        }
        return toFlush;
    }

    /// Returns whether a channel may have work on the GPU. The ring is checked before the engines,
    /// because an engine's status becomes busy before hardware reads the ring.
    private boolean isBusy(int channel) {
        if (userd.wrap(shadow(channel).userd(), 0).ibGet() != channels[channel].rung()) {
            return true;
        }
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            int status = requests.engineStatus(engine);
            if (status != 0 && Pfifo.STATUS_CHANNEL.get(status) == channel) {
                return true;
            }
        }
        return Pfifo.STATE_PENDING.isSet(requests.channelState(channel));
    }

    /// Returns whether the owner's view of a channel belongs to its current binding.
    ///
    /// @param channel number, or [io.gpuvm.port.CompletionInbox#NO_CHANNEL], which is never present
    boolean isPresent(int channel) {
        return channel >= 0 && channels[channel].isPresent();
    }

    /// Rings a channel with the put index in memory. Called after events, except doorbells, that
    /// make hardware read USERD.
    private void ringFromMemory(int channel) {
        ShadowChannel shadow = shadow(channel);
        if (shadow == null) {
            return;
        }
        long slot = shadow.guestUserd() + Userd.IB_PUT;
        int put = (int) memory.read(shadow.guestUserdTarget(), slot, Integer.BYTES);
        ring(channel, put);
    }
}
