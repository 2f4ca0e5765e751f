package io.gpuvm.record;

import java.lang.foreign.MemorySegment;

/// What becomes of commands, as records. Used by the thread of the GPU's owner.
public final class OwnerTrack {
    private final RecordRing ring;

    OwnerTrack(RecordRing ring) {
        this.ring = ring;
    }

    /// A command of a virtual machine was queued.
    public void onSubmitted(int vm, int channel, long nowNs) {
        command(RecordKind.SUBMITTED, vm, channel, 0, 0, nowNs);
    }

    /// A command was chosen, and runs.
    public void onStarted(int vm, int channel, long nowNs) {
        command(RecordKind.STARTED, vm, channel, 0, 0, nowNs);
    }

    /// A command has ended.
    ///
    /// @param usedNs GPU time that it was charged
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        command(RecordKind.COMPLETED, vm, channel, engine, usedNs, nowNs);
    }

    private void command(
            RecordKind kind, int vm, int channel, int engine, long usedNs, long nowNs) {
        long at = ring.claim(kind, engine, channel, RecordLayout.COMMAND_BYTES, nowNs);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U64, at + RecordLayout.BODY, vm);
            memory.set(RecordLayout.U64, at + RecordLayout.COMMAND_USED, usedNs);
            ring.commit(at);
        }
    }
}
