package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Entry of the completion ring: the result of a command.
///
/// ```text
///   0            4             8                16         24             32          63
///  +------------+-------------+----------------+----------+--------------+--------------+
///  | stamp, u32 | status, u32 | correlation 64 | done 64  | result, u64  |      0       |
///  +------------+-------------+----------------+----------+--------------+--------------+
/// ```
public final class CompletionEntry extends RingEntry {
    /// Offset of [#done()].
    public static final int DONE = BODY;

    /// Offset of [#result()].
    public static final int RESULT = BODY + 8;

    /// Returns the tag of a completion with the given status.
    public static int tag(CommandStatus status) {
        return status.code();
    }

    /// Moves this flyweight to the entry at offset `at`, a multiple of 64.
    public CompletionEntry wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    /// Returns the status of the command; null if this version does not know the code.
    public CommandStatus status() {
        return CommandStatus.of(statusCode());
    }

    /// Returns the code of [#status()].
    public int statusCode() {
        return u32(TAG);
    }

    /// Returns the number of bytes of a range that were mapped, unmapped or written, even if the
    /// command failed.
    public long done() {
        return u64(DONE);
    }

    /// Returns the requested handle, channel number or word; 0 if there is no result.
    public long result() {
        return u64(RESULT);
    }

    /// Writes all fields except stamp and tag.
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
