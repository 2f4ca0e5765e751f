package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandStatus;
import java.util.ArrayDeque;
import java.util.function.IntFunction;

/// A guest's channels, from creation to destruction. Their rings lie in memory that only the GPU
/// reads, through the address space. Confined to the poller.
///
/// A channel has two numbers: the guest's own, and its id in the virtual machine, by which the
/// GPU's owner knows it while it exists.
final class GuestChannels {
    /// Binary logarithm of the maximum number of ring entries: more than any known client uses, and
    /// far below the range of an index.
    static final int MOST_RING_ORDER = 16;

    private final GpuRequests requests;
    private final ChannelListener listener;
    private final ChannelShares shares;
    private final int session;
    private final ChannelBlocks blocks;
    private final GuestChannel[] channels;

    /// Channels by id; null if the guest has no channel with this id.
    private final GuestChannel[] byId;

    /// Ids of channels that are open or opening, in the form of a runlist.
    private final int[] listed;

    /// Channels being opened, in the order of the runlists that were requested.
    private final ArrayDeque<GuestChannel> opening = new ArrayDeque<>();

    private int open;
    private int underWay;

    /// Channel that the last successful [#create] has created.
    private GuestChannel created;

    /// @param slots returns the slot of a channel, by the channel's number
    GuestChannels(
            PvPlace place, PvSeat seat, IntFunction<ChannelSlot> slots, ChannelListener listener) {
        this.listener = listener;
        requests = seat.port().requests();
        session = seat.number();
        shares = place.use().channels();
        blocks = new ChannelBlocks(place.arena());
        int most = shares.mostOfOne();
        channels = new GuestChannel[most];
        for (int number = 0; number < most; number++) {
            channels[number] = new GuestChannel(number, slots.apply(number));
        }
        byId = new GuestChannel[place.gpu().channels()];
        listed = new int[most];
    }

    /// Returns the maximum number of the guest's channels.
    int most() {
        return channels.length;
    }

    /// Returns the number of channels in existence.
    int open() {
        return open;
    }

    /// Returns the number of pending answers from the GPU's owner.
    int underWay() {
        return underWay;
    }

    /// Returns the channel with a number, in any state.
    ///
    /// @param number number of the channel, 0 to [#most()] - 1
    GuestChannel channel(int number) {
        return channels[number];
    }

    /// Returns the channel with an id; null if the guest has none.
    ///
    /// @param id id of a channel of the virtual machine
    GuestChannel withId(int id) {
        return byId[id];
    }

    /// Returns the channel with a number, or null if it is not open.
    ///
    /// @param number number from the guest, any value
    GuestChannel openOne(int number) {
        if (number < 0 || number >= channels.length) {
            return null;
        }
        GuestChannel channel = channels[number];
        return channel.state() == State.OPEN ? channel : null;
    }

    /// Begins to create a channel.
    ///
    /// @param ring address of the channel's ring, any value
    /// @param order binary logarithm of the ring's number of entries, any value
    /// @param space address space, null if the guest has named none
    /// @return the reason for a refusal, [CommandStatus#OK] if the creation is in progress
    CommandStatus create(long ring, int order, GuestSpace space) {
        if (space == null) {
            return CommandStatus.BAD_HANDLE;
        }
        if (ring % GpfifoEntry.BYTES != 0) {
            return CommandStatus.MISALIGNED;
        }
        long last = TableGeometry.VA_MASK + 1;
        if (order < 1
                || order > MOST_RING_ORDER
                || ring < 0
                || ring > last - ((long) GpfifoEntry.BYTES << order)) {
            return CommandStatus.BAD_RANGE;
        }
        int id = shares.take(session);
        if (id == ChannelShares.NONE) {
            return CommandStatus.QUOTA_CHANNELS;
        }
        GuestChannel channel = firstClosed();
        if (!blocks.take(channel)) {
            shares.giveBack(session, id);
            return CommandStatus.NO_MEMORY;
        }
        byId[id] = channel;
        channel.begin(id, space, order);
        open++;
        blocks.describe(channel, ring, order);
        requests.bind(id, blocks.instanceIova(channel), blocks.userdIova(channel));
        requests.run(id, true);
        requests.runlist(listed, collectListed());
        opening.add(channel);
        created = channel;
        begin();
        return CommandStatus.OK;
    }

    /// Returns the channel that the last successful [#create] has created.
    GuestChannel created() {
        return created;
    }

    /// Begins to destroy a channel.
    ///
    /// @param number number from the guest, any value
    /// @return the reason for a refusal, [CommandStatus#OK] if the destruction is in progress
    CommandStatus destroy(int number) {
        GuestChannel channel = openOne(number);
        if (channel == null) {
            return CommandStatus.BAD_HANDLE;
        }
        channel.end();
        requests.unbind(channel.id());
        requests.preempt(channel.id());
        begin();
        return CommandStatus.OK;
    }

    /// Records that the oldest pending runlist has taken effect: the GPU may run its channel.
    void opened() {
        GuestChannel channel = opening.remove();
        channel.open();
        underWay--;
        listener.onOpened(channel);
    }

    /// Records that a channel has been removed from the GPU.
    void ended(int id) {
        GuestChannel channel = byId[id];
        giveBack(channel);
        channel.close();
        open--;
        underWay--;
        listener.onEnded(channel);
    }

    /// Returns the blocks and ids of all channels to the place. Called after the GPU has stopped
    /// using the channels.
    void release() {
        for (GuestChannel channel : channels) {
            if (channel.state() != State.CLOSED) {
                giveBack(channel);
            }
        }
    }

    private void giveBack(GuestChannel channel) {
        blocks.giveBack(channel);
        byId[channel.id()] = null;
        shares.giveBack(session, channel.id());
    }

    /// Returns a closed channel, which exists while the shares permit another channel.
    private GuestChannel firstClosed() {
        for (GuestChannel channel : channels) {
            if (channel.state() == State.CLOSED) {
                return channel;
            }
        }
        throw new IllegalStateException("channels=%d, all open".formatted(channels.length));
    }

    private int collectListed() {
        int count = 0;
        for (GuestChannel channel : channels) {
            if (channel.state() == State.OPENING || channel.state() == State.OPEN) {
                listed[count++] = channel.id();
            }
        }
        return count;
    }

    private void begin() {
        listener.onBegun();
        underWay++;
    }
}
