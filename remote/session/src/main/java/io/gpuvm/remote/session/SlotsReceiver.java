package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.remote.link.LinkFrame;
import java.lang.foreign.MemorySegment;

/// Receiver of the channel table's changes.
final class SlotsReceiver {
    private static final long HEAD = ChannelSlot.FAILURE_KIND;

    private final MemorySegment memory;
    private final AreaLayout layout;
    private final ChannelSlot slot = new ChannelSlot();

    SlotsReceiver(SharedArea area) {
        memory = area.memory();
        layout = area.layout();
    }

    /// Stores the positions of a frame, if the words before them have been received.
    ///
    /// @param words number of frames of words that have been received
    /// @return false if words are missing
    /// @throws SessionException if the frame is invalid
    boolean storePositions(LinkFrame frame, long words) {
        if (!ItemBatch.isDue(frame, SessionFrame.POSITION_BYTES, words)) {
            return false;
        }
        MemorySegment from = frame.memory();
        long end = frame.offset() + frame.bytes();
        for (long at = frame.offset() + SessionFrame.FIRST_ENTRY;
                at < end;
                at += SessionFrame.POSITION_BYTES) {
            int channel = from.get(WireType.U32, at + SessionFrame.POSITION_CHANNEL);
            slot.wrap(memory, slotAt(channel))
                    .get(from.get(WireType.U32, at + SessionFrame.POSITION_GET));
        }
        return true;
    }

    /// Stores the slots of a frame, if the words before them have been received.
    ///
    /// @param words number of frames of words that have been received
    /// @return false if words are missing
    /// @throws SessionException if the frame is invalid
    boolean storeSlots(LinkFrame frame, long words) {
        if (!ItemBatch.isDue(frame, SessionFrame.SLOT_BYTES, words)) {
            return false;
        }
        MemorySegment from = frame.memory();
        long end = frame.offset() + frame.bytes();
        for (long at = frame.offset() + SessionFrame.FIRST_ENTRY;
                at < end;
                at += SessionFrame.SLOT_BYTES) {
            long to = slotAt(from.get(WireType.U32, at + SessionFrame.SLOT_CHANNEL));
            long start = at + SessionFrame.SLOT_START;
            // The state announces the failure.
            MemorySegment.copy(from, start + HEAD, memory, to + HEAD, ChannelSlot.BYTES - HEAD);
            slot.wrap(memory, to)
                    .get(from.get(WireType.U32, start + ChannelSlot.GET))
                    .state(from.get(WireType.U32, start + ChannelSlot.STATE));
        }
        return true;
    }

    private long slotAt(int channel) {
        if (channel < 0 || channel >= layout.channels()) {
            throw new SessionException(
                    "channel=%d, limit=%d".formatted(channel, layout.channels()));
        }
        return layout.channelSlot(channel);
    }
}
