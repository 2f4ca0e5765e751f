package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// Entry of the submission ring: a command. Subclasses define its operands. Bytes outside the
/// operands are ignored.
///
/// ```text
///   0            4          6          8                16
///  +------------+----------+----------+----------------+-----------------------+
///  | stamp, u32 | opcode16 | flags 16 | correlation 64 | operands, 48 bytes    |
///  +------------+----------+----------+----------------+-----------------------+
/// ```
public sealed class CommandEntry extends RingEntry
        permits VramAllocCommand,
                HandleCommand,
                MapCommand,
                MapStridedCommand,
                MapListCommand,
                UnmapCommand,
                ChannelCreateCommand,
                SubmitCommand,
                FenceQueryCommand,
                FenceWaitCommand,
                FenceDeclareCommand,
                StatisticsCommand {
    /// Flag: the command is answered only if it fails.
    public static final int QUIET = 1;

    /// Flag: the next command is cancelled if this command fails. A chain ends with the first
    /// command without this flag.
    public static final int LINKED = 1 << 1;

    /// All defined flags.
    public static final int ALL_FLAGS = QUIET | LINKED;

    private static final int CODE_MASK = 0xffff;

    /// Returns the tag of a command with the given opcode and flags.
    public static int tag(CommandOpcode opcode, int flags) {
        return opcode.code() | flags << Short.SIZE;
    }

    /// Moves this flyweight to the entry at offset `at`, a multiple of 64.
    public CommandEntry wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    /// Returns the opcode field, 0 to 65535; not necessarily the code of a [CommandOpcode].
    public final int opcode() {
        return u32(TAG) & CODE_MASK;
    }

    /// Returns the flags, 0 to 65535; undefined flags may be set.
    public final int flags() {
        return u32(TAG) >>> Short.SIZE;
    }

    /// Returns whether the command is answered only if it fails.
    public final boolean isQuiet() {
        return (flags() & QUIET) != 0;
    }

    /// Returns whether the next command is cancelled if this command fails.
    public final boolean isLinked() {
        return (flags() & LINKED) != 0;
    }

    /// Sets the guest's identifier of this command.
    public CommandEntry correlation(long correlation) {
        putCorrelation(correlation);
        return this;
    }

    @Override
    public String toString() {
        CommandOpcode known = CommandOpcode.of(opcode());
        return "%s flags=%#x correlation=%#x"
                .formatted(known == null ? "opcode " + opcode() : known, flags(), correlation());
    }
}
