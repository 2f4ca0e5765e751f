package io.gpuvm.record;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// What becomes of commands, and what the scheduler is told, as records. Used by the thread of the
/// GPU's owner.
public final class OwnerTrack {
    private final RecordRing ring;

    OwnerTrack(RecordRing ring) {
        this.ring = ring;
    }

    /// A command of a virtual machine was queued for an engine.
    public void onSubmitted(int vm, int channel, int engine, long nowNs) {
        command(RecordKind.SUBMITTED, vm, channel, engine, 0, nowNs);
    }

    /// A command was chosen, and runs.
    public void onStarted(int vm, int channel, int engine, long nowNs) {
        command(RecordKind.STARTED, vm, channel, engine, 0, nowNs);
    }

    /// A command that was queued will not be started.
    public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
        command(RecordKind.WITHDRAWN, vm, channel, engine, 0, nowNs);
    }

    /// A command is charged for an engine that it was not queued for, before it ends.
    public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
        command(RecordKind.CHARGED, vm, channel, engine, usedNs, nowNs);
    }

    /// A virtual machine is entitled to this from now on.
    public void onShare(int vm, int weight, int capPercent, long nowNs) {
        long at = ring.claim(RecordKind.SHARE, 0, 0, RecordLayout.SHARE_BYTES, nowNs);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U32, at + RecordLayout.BODY, vm);
            memory.set(RecordLayout.U32, at + RecordLayout.SHARE_WEIGHT, weight);
            memory.set(RecordLayout.U32, at + RecordLayout.SHARE_CAP, capPercent);
            ring.commit(at);
        }
    }

    /// A policy decides from now on.
    ///
    /// @param policy as on the command line; of what is longer than [RecordLayout#DATA_BYTES] in
    ///   UTF-8 the rest is missing
    public void onPolicy(String policy, long nowNs) {
        byte[] text = policy.getBytes(StandardCharsets.UTF_8);
        int bytes = Math.min(text.length, RecordLayout.DATA_BYTES);
        long at = ring.claim(RecordKind.POLICY, 0, 0, RecordLayout.POLICY_DATA + bytes, nowNs);
        if (at != RecordRing.NONE) {
            MemorySegment.copy(
                    text, 0, ring.memory(), RecordLayout.U8, at + RecordLayout.POLICY_DATA, bytes);
            ring.commit(at);
        }
    }

    /// A command has ended.
    ///
    /// @param engine that it was queued for
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
