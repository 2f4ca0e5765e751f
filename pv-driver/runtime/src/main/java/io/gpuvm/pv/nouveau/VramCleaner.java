package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.InlineFill;
import io.gpuvm.gf100.push.PushBuffer;
import java.lang.foreign.MemorySegment;

/// Zeroes new buffers in VRAM, which nouveau does not: they may contain data of other users. Uses a
/// channel of its own, so that it does not wait for the program's work. One thread at a time.
final class VramCleaner {
    /// Bytes of the memory for commands.
    static final int COMMAND_BYTES = 1 << 16;

    private final Submitter submitter;
    private final NouveauChannel channel;
    private final long gpuVa;
    private final PushBuffer push;
    private boolean bound;

    /// @param channel channel with an object of the class of M2MF
    /// @param gpuVa address of the memory for commands
    /// @param commands the same memory, [#COMMAND_BYTES] long
    VramCleaner(Submitter submitter, NouveauChannel channel, long gpuVa, MemorySegment commands) {
        this.submitter = submitter;
        this.channel = channel;
        this.gpuVa = gpuVa;
        push = new PushBuffer(commands);
    }

    /// Zeroes a buffer, and waits for the GPU.
    ///
    /// @return false if the GPU did not: nouveau cannot hold all buffers in VRAM at the same time,
    ///   or the device is lost
    boolean zero(GemBuffer buffer) {
        int most = COMMAND_BYTES / Integer.BYTES - InlineFill.EXTEND_WORDS;
        long done = 0;
        while (done < buffer.bytes()) {
            push.moveTo(0);
            if (!bound) {
                CopyUnit.M2MF.bind(push);
                bound = true;
            }
            if (done == 0) {
                done = InlineFill.seed(push, buffer.gpuVa(), buffer.bytes(), (byte) 0);
            }
            while (done < buffer.bytes() && push.position() / Integer.BYTES <= most) {
                done = InlineFill.extend(push, buffer.gpuVa(), buffer.bytes(), done);
            }
            if (!submit()) {
                return false;
            }
        }
        return true;
    }

    private boolean submit() {
        channel.offer(gpuVa, (int) (push.position() / Integer.BYTES));
        if (!submitter.submitNow(channel)) {
            return false;
        }
        submitter.awaitIdle(channel);
        return !channel.hasFailed();
    }
}
