package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/// Cleaner that zeroes new buffers in VRAM, because nouveau does not zero them and they may contain
/// data of other processes. The cleaner uses a separate channel and, if possible, a copy engine, so
/// that it does not wait for kernels. One thread at a time.
final class VramCleaner {
    /// Length of the area for commands, which is the first.
    private static final int COMMAND_BYTES = 1 << 16;

    /// Length of the area for zeros, which is followed by the fence.
    private static final int ZERO_BYTES = 1 << 18;

    private static final long FENCE_OFFSET = COMMAND_BYTES + ZERO_BYTES;

    /// Length of the host memory for commands, zeros and a fence.
    static final int HOST_BYTES = COMMAND_BYTES + ZERO_BYTES + Long.BYTES;

    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final Submitter submitter;
    private final Pauses pauses;
    private final Supplier<NouveauChannel> channels;
    private final CopyUnit unit;
    private final HostMemory memory;
    private final PushBuffer push;
    private NouveauChannel channel;
    private boolean bound;

    /// Number of the last submission, which the GPU writes to the fence when the zeros are copied.
    private int done;

    /// Channels of a cleaner, each with an object of the unit's class.
    ///
    /// @param first channel that the cleaner uses first
    /// @param next opens a channel that replaces a failed channel
    record Channels(NouveauChannel first, Supplier<NouveauChannel> next) {}

    /// @param memory zeroed memory of [#HOST_BYTES] bytes
    VramCleaner(
            Submitter submitter,
            Pauses pauses,
            Channels channels,
            CopyUnit unit,
            HostMemory memory) {
        this.submitter = submitter;
        this.pauses = pauses;
        this.channels = channels.next();
        this.channel = channels.first();
        this.unit = unit;
        this.memory = memory;
        push = new PushBuffer(memory.segment().asSlice(0, COMMAND_BYTES));
    }

    /// Zeroes a buffer, and waits for the GPU. An interrupt does not end the wait. If nouveau kills
    /// the channel, which a fault of another channel can cause, the cleaner retries once with a new
    /// channel.
    ///
    /// @return false if nouveau cannot hold all buffers in VRAM at the same time
    /// @throws TransportException if the second channel also fails, or the device is lost
    boolean zero(GemBuffer buffer) {
        boolean zeroed = tryZero(buffer);
        if (channel.hasFailed() && submitter.lost() == null) {
            channel.close();
            channel = channels.get();
            bound = false;
            zeroed = tryZero(buffer);
        }
        ChannelFailure failure = channel.failure();
        if (failure != null) {
            throw new TransportException(
                    "the channel that zeroes VRAM has failed: " + failure.message());
        }
        return zeroed;
    }

    private boolean tryZero(GemBuffer buffer) {
        for (long clean = 0; clean < buffer.bytes(); ) {
            push.moveTo(0);
            if (!bound) {
                unit.bind(push);
                bound = true;
            }
            while (clean < buffer.bytes() && hasRoom()) {
                long bytes = Math.min(ZERO_BYTES, buffer.bytes() - clean);
                long zeros = memory.gpuVa() + COMMAND_BYTES;
                Rectangle part = unit.startOf(Rectangle.line(buffer.gpuVa() + clean, zeros, bytes));
                unit.copy(push, part);
                clean += part.lineBytes() * part.lines();
            }
            if (!submit()) {
                return false;
            }
        }
        return true;
    }

    private boolean hasRoom() {
        int words = CopyUnit.WORDS + Fences.WORDS;
        return push.position() + words * Integer.BYTES <= COMMAND_BYTES;
    }

    private boolean submit() {
        int number = done + 1;
        Fences.release(push, memory.gpuVa() + FENCE_OFFSET, number);
        channel.offer(memory.gpuVa(), (int) (push.position() / Integer.BYTES));
        if (!submitter.submitNow(channel)) {
            // The first submission binds the unit.
            bound = false;
            return false;
        }
        done = number;
        while ((int) WORD.getAcquire(memory.segment(), FENCE_OFFSET) != number) {
            if (channel.failure() != null) {
                return false;
            }
            pauses.pauseFully(Pauses.interval(submitter.idleNs()));
        }
        return true;
    }
}
