package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.VmArena;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.ChannelCreateCommand;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.ring.SharedArea;
import java.util.ArrayDeque;

/// A guest's channels, from their making to their end. Their rings are in memory of the guest's
/// own, which the GPU reads through the address space and nobody else. Confined to the poller.
final class GuestChannels {
    /// The longest ring: more than anybody fills, and far from what an index can count.
    static final int MOST_RING_ORDER = 16;

    private final GpuRequests requests;
    private final Answers answers;
    private final ChannelBlocks blocks;
    private final GuestChannel[] channels;

    /// Numbers of channels that are open or will be, as the runlist wants them.
    private final int[] listed;

    /// In the order of the runlists that were asked for.
    private final ArrayDeque<GuestChannel> opening = new ArrayDeque<>();

    private int open;
    private int underWay;

    /// @param most how many channels there may be
    GuestChannels(SharedArea area, VmArena arena, GpuRequests requests, Answers answers, int most) {
        this.requests = requests;
        this.answers = answers;
        blocks = new ChannelBlocks(arena);
        channels = new GuestChannel[most];
        for (int number = 0; number < most; number++) {
            channels[number] = new GuestChannel(number, area.channel(number));
        }
        listed = new int[most];
    }

    /// How many there may be.
    int most() {
        return channels.length;
    }

    /// How many there are.
    int open() {
        return open;
    }

    /// How many answers of the GPU's owner are yet to come.
    int underWay() {
        return underWay;
    }

    /// The one of a number, in whatever state.
    ///
    /// @param number 0 to [#most()] - 1
    GuestChannel channel(int number) {
        return channels[number];
    }

    /// The one of a number, null if it cannot be used.
    ///
    /// @param number what the guest says, any number
    GuestChannel openOne(int number) {
        if (number < 0 || number >= channels.length) {
            return null;
        }
        GuestChannel channel = channels[number];
        return channel.state() == State.OPEN ? channel : null;
    }

    /// Begins a channel, which is answered when the GPU may run it.
    ///
    /// @param space null if there is none of that handle
    /// @return why not, [CommandStatus#OK] if it is under way
    CommandStatus create(ChannelCreateCommand command, GuestSpace space) {
        long ring = command.ringGpuVa();
        int order = command.ringOrder();
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
        GuestChannel channel = firstClosed();
        if (channel == null) {
            return CommandStatus.QUOTA_CHANNELS;
        }
        if (!blocks.take(channel)) {
            return CommandStatus.NO_MEMORY;
        }
        channel.begin(space, order);
        open++;
        channel.answerTo(command.correlation(), command.isQuiet());
        blocks.describe(channel, ring, order);
        requests.bind(channel.number(), blocks.instanceIova(channel), blocks.userdIova(channel));
        requests.run(channel.number(), true);
        requests.runlist(listed, collectListed());
        opening.add(channel);
        expect();
        return CommandStatus.OK;
    }

    /// Ends a channel, which is answered when the GPU is off it.
    ///
    /// @return why not, [CommandStatus#OK] if it is under way
    CommandStatus destroy(int number, CommandEntry command) {
        GuestChannel channel = openOne(number);
        if (channel == null) {
            return CommandStatus.BAD_HANDLE;
        }
        channel.end();
        channel.answerTo(command.correlation(), command.isQuiet());
        requests.unbind(number);
        requests.preempt(number);
        expect();
        return CommandStatus.OK;
    }

    /// The runlist that was asked for first is in force: the GPU may run its channel.
    void opened() {
        GuestChannel channel = opening.remove();
        channel.open();
        settle(channel, channel.number());
    }

    /// The GPU is off a channel.
    void ended(int number) {
        GuestChannel channel = channels[number];
        blocks.giveBack(channel);
        channel.close();
        open--;
        settle(channel, 0);
    }

    /// Gives back what all channels have in the arena. The GPU has none of them any more.
    void close() {
        for (GuestChannel channel : channels) {
            if (channel.state() != State.CLOSED) {
                blocks.giveBack(channel);
            }
        }
    }

    private GuestChannel firstClosed() {
        for (GuestChannel channel : channels) {
            if (channel.state() == State.CLOSED) {
                return channel;
            }
        }
        return null;
    }

    private int collectListed() {
        int count = 0;
        for (GuestChannel channel : channels) {
            if (channel.state() == State.OPENING || channel.state() == State.OPEN) {
                listed[count++] = channel.number();
            }
        }
        return count;
    }

    private void expect() {
        answers.expected();
        underWay++;
    }

    private void settle(GuestChannel channel, int result) {
        underWay--;
        answers.settled();
        if (!channel.isQuiet()) {
            answers.answer(CommandStatus.OK, channel.correlation(), 0, result);
        }
    }
}
