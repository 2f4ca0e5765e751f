package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Zeroes new buffers in VRAM, which nouveau does not: they may contain data of other users. Uses a
/// channel of its own and, if possible, a copy engine, so that it does not wait for kernels. One
/// thread at a time.
final class VramCleaner {
    /// Bytes of the memory for commands, and of the zeros and the fence that follow it.
    private static final int COMMAND_BYTES = 1 << 16;

    private static final int ZERO_BYTES = 1 << 18;

    private static final long FENCE_OFFSET = COMMAND_BYTES + ZERO_BYTES;

    /// Bytes of host memory for commands, zeros and a fence.
    static final int HOST_BYTES = COMMAND_BYTES + ZERO_BYTES + Long.BYTES;

    private static final VarHandle WORD =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final Submitter submitter;
    private final Pauses pauses;
    private final NouveauChannel channel;
    private final CopyUnit unit;
    private final HostMemory memory;
    private final PushBuffer push;
    private boolean bound;

    /// Number of the last submission, which the GPU writes to the fence.
    private int done;

    /// @param channel channel with an object of the unit's class
    /// @param memory zeroed memory of [#HOST_BYTES]
    VramCleaner(
            Submitter submitter,
            Pauses pauses,
            NouveauChannel channel,
            CopyUnit unit,
            HostMemory memory) {
        this.submitter = submitter;
        this.pauses = pauses;
        this.channel = channel;
        this.unit = unit;
        this.memory = memory;
        push = new PushBuffer(memory.segment().asSlice(0, COMMAND_BYTES));
    }

    /// Zeroes a buffer, and waits for the GPU.
    ///
    /// @return false if the GPU did not: nouveau cannot hold all buffers in VRAM at the same time,
    ///   or the device is lost
    boolean zero(GemBuffer buffer) {
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
            pauses.pause(Pauses.interval(submitter.idleNs()));
        }
        return true;
    }
}
