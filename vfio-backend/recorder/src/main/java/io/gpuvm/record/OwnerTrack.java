package io.gpuvm.record;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Recorder of commands' lifecycles and of the scheduler's inputs. Used by the thread of the GPU's
/// owner.
public final class OwnerTrack {
    private final RecordRing ring;

    OwnerTrack(RecordRing ring) {
        this.ring = ring;
    }

    /// Records that a command of a virtual machine's session has been queued for an engine.
    public void onSubmitted(int vm, int session, int channel, int engine, long nowNs) {
        command(RecordKind.SUBMITTED, vm, session, channel, engine, 0, nowNs);
    }

    /// Records that the scheduler has chosen a command, and that the command has started.
    public void onStarted(int vm, int channel, int engine, long nowNs) {
        command(RecordKind.STARTED, vm, 0, channel, engine, 0, nowNs);
    }

    /// Records that a queued command will not start.
    public void onWithdrawn(int vm, int channel, int engine, long nowNs) {
        command(RecordKind.WITHDRAWN, vm, 0, channel, engine, 0, nowNs);
    }

    /// Records a charge before the end of a command.
    public void onCharged(int vm, int channel, int engine, long usedNs, long nowNs) {
        command(RecordKind.CHARGED, vm, 0, channel, engine, usedNs, nowNs);
    }

    /// Records the new time share of a virtual machine.
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

    /// Records the new scheduling policy.
    ///
    /// @param policy name as on the command line; truncated to [RecordLayout#DATA_BYTES] in UTF-8
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

    /// Records the end of a command.
    ///
    /// @param engine engine for which the command was queued
    /// @param usedNs charged GPU time, in nanoseconds
    public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {
        command(RecordKind.COMPLETED, vm, 0, channel, engine, usedNs, nowNs);
    }

    private void command(
            RecordKind kind,
            int vm,
            int session,
            int channel,
            int engine,
            long usedNs,
            long nowNs) {
        long at = ring.claim(kind, engine, channel, RecordLayout.COMMAND_BYTES, nowNs);
        if (at != RecordRing.NONE) {
            MemorySegment memory = ring.memory();
            memory.set(RecordLayout.U32, at + RecordLayout.BODY, vm);
            memory.set(RecordLayout.U32, at + RecordLayout.COMMAND_SESSION, session);
            memory.set(RecordLayout.U64, at + RecordLayout.COMMAND_USED, usedNs);
            ring.commit(at);
        }
    }
}
