package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Sender of the channel table's changes.
final class SlotsSender {
    private static final long HEAD = ChannelSlot.FAILURE_KIND;

    private final MemorySegment memory;
    private final long table;
    private final int channels;
    private final ChannelSlot slot = new ChannelSlot();

    /// Slots as the peer knows them after the changes of the last look.
    private final MemorySegment known;

    private final ItemBatch slots;
    private final ItemBatch positions;

    /// Numbers of the open channels.
    private final int[] open;

    private final boolean[] isOpen;
    private int opened;

    private final int[] changedStates;
    private int states;
    private int statesAdded;
    private final int[] moved;
    private int moves;
    private int movesAdded;

    SlotsSender(SharedArea area, Link link) {
        memory = area.memory();
        table = area.layout().channelTable();
        channels = area.layout().channels();
        known = Arena.ofAuto().allocate((long) channels * ChannelSlot.BYTES, Long.BYTES);
        slots = new ItemBatch(link, SessionFrame.SLOTS, SessionFrame.SLOT_BYTES);
        positions = new ItemBatch(link, SessionFrame.POSITIONS, SessionFrame.POSITION_BYTES);
        open = new int[channels];
        isOpen = new boolean[channels];
        changedStates = new int[channels];
        moved = new int[channels];
    }

    /// Returns whether a channel is known to be open.
    boolean hasOpen() {
        return opened > 0;
    }

    /// Begins to look at a channel, to which the program submits.
    ///
    /// @param channel any number
    void watch(int channel) {
        if (channel >= 0 && channel < channels && !isOpen[channel]) {
            isOpen[channel] = true;
            open[opened] = channel;
            opened++;
        }
    }

    /// Looks for changes, and begins to send them.
    ///
    /// @param hasNew whether there may be new channels
    /// @return whether there are changes
    boolean look(boolean hasNew) {
        states = 0;
        statesAdded = 0;
        moves = 0;
        movesAdded = 0;
        if (hasNew) {
            for (int channel = 0; channel < channels; channel++) {
                if (!isOpen[channel] && slotOf(channel).state() != ChannelSlot.CLOSED) {
                    watch(channel);
                }
            }
        }
        for (int i = opened - 1; i >= 0; i--) {
            if (look(open[i]) == ChannelSlot.CLOSED) {
                isOpen[open[i]] = false;
                opened--;
                open[i] = open[opened];
            }
        }
        return states + moves > 0;
    }

    /// Returns whether the state of a channel had changed at the last look.
    boolean hasChangedStates() {
        return states > 0;
    }

    /// Sends the changes as far as the link has room.
    ///
    /// @param wordsBefore number of frames of words that precede the changes
    /// @return whether all have been sent
    boolean work(long wordsBefore) {
        for (; statesAdded < states; statesAdded++) {
            if (!hasRoom(slots, wordsBefore)) {
                return false;
            }
            int channel = changedStates[statesAdded];
            long at = slots.add();
            slots.memory().set(WireType.U64, at + SessionFrame.SLOT_CHANNEL, channel);
            MemorySegment.copy(
                    known,
                    knownAt(channel),
                    slots.memory(),
                    at + SessionFrame.SLOT_START,
                    ChannelSlot.BYTES);
        }
        slots.send(wordsBefore);
        for (; movesAdded < moves; movesAdded++) {
            if (!hasRoom(positions, wordsBefore)) {
                return false;
            }
            int channel = moved[movesAdded];
            long at = positions.add();
            int get = known.get(WireType.U32, knownAt(channel) + ChannelSlot.GET);
            positions.memory().set(WireType.U32, at + SessionFrame.POSITION_CHANNEL, channel);
            positions.memory().set(WireType.U32, at + SessionFrame.POSITION_GET, get);
        }
        positions.send(wordsBefore);
        return true;
    }

    private static boolean hasRoom(ItemBatch batch, long wordsBefore) {
        if (!batch.hasRoom()) {
            batch.send(wordsBefore);
        }
        return batch.hasRoom();
    }

    /// @return state of the channel
    private int look(int channel) {
        long at = knownAt(channel);
        int state = slotOf(channel).state();
        int get = slot.get();
        if (state != known.get(WireType.U32, at + ChannelSlot.STATE)) {
            long from = table + (long) channel * ChannelSlot.BYTES;
            MemorySegment.copy(memory, from + HEAD, known, at + HEAD, ChannelSlot.BYTES - HEAD);
            known.set(WireType.U32, at + ChannelSlot.STATE, state);
            changedStates[states] = channel;
            states++;
        } else if (get != known.get(WireType.U32, at + ChannelSlot.GET)) {
            moved[moves] = channel;
            moves++;
        }
        known.set(WireType.U32, at + ChannelSlot.GET, get);
        return state;
    }

    private ChannelSlot slotOf(int channel) {
        return slot.wrap(memory, table + (long) channel * ChannelSlot.BYTES);
    }

    private static long knownAt(int channel) {
        return (long) channel * ChannelSlot.BYTES;
    }
}
