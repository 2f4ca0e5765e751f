package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// An entry of the completion ring: how a command ended.
///
/// ```text
///   0            4             8                16         24             32          63
///  +------------+-------------+----------------+----------+--------------+--------------+
///  | stamp, u32 | status, u32 | correlation 64 | done 64  | result, u64  |      0       |
///  +------------+-------------+----------------+----------+--------------+--------------+
/// ```
public final class CompletionEntry extends RingEntry {
    /// How far a command on a range came, also if it failed, in bytes.
    public static final int DONE = BODY;

    /// What was asked for: a handle, a channel's number, a word.
    public static final int RESULT = BODY + 8;

    /// The tag of a completion.
    public static int tag(CommandStatus status) {
        return status.code();
    }

    /// Moves this window to the entry at `at`, a multiple of 64.
    public CompletionEntry wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    /// How it ended; null for a number that this version does not know.
    public CommandStatus status() {
        return CommandStatus.of(statusCode());
    }

    /// The number of [#status()].
    public int statusCode() {
        return u32(TAG);
    }

    /// How many bytes of a range were mapped, unmapped or written.
    public long done() {
        return u64(DONE);
    }

    /// A handle, a channel's number or a word; 0 where there is no result.
    public long result() {
        return u64(RESULT);
    }

    /// Writes all that a completion has but stamp and tag.
    public CompletionEntry set(long correlation, long done, long result) {
        putCorrelation(correlation);
        u64(DONE, done);
        u64(RESULT, result);
        return this;
    }

    @Override
    public String toString() {
        CommandStatus known = status();
        return "%s correlation=%#x done=%d result=%#x"
                .formatted(
                        known == null ? "status " + statusCode() : known,
                        correlation(),
                        done(),
                        result());
    }
}
