package io.gpuvm.pv.protocol;

import java.lang.foreign.MemorySegment;

/// An entry of the submission ring: a command. Its operands are the business of the classes that
/// extend this one; bytes that none of them names are ignored.
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
                StatisticsCommand {
    /// Not answered if it succeeds.
    public static final int QUIET = 1;

    /// If it fails, the next command is cancelled; a chain ends with the first command without.
    public static final int LINKED = 1 << 1;

    /// All flags that there are.
    public static final int ALL_FLAGS = QUIET | LINKED;

    private static final int CODE_MASK = 0xffff;

    /// The tag of a command.
    public static int tag(CommandOpcode opcode, int flags) {
        return opcode.code() | flags << Short.SIZE;
    }

    /// Moves this window to the entry at `at`, a multiple of 64.
    public CommandEntry wrap(MemorySegment memory, long at) {
        move(memory, at);
        return this;
    }

    /// The opcode's number, which need not be an [CommandOpcode]'s: 0 to 65535.
    public final int opcode() {
        return u32(TAG) & CODE_MASK;
    }

    /// The flags, of which not all need exist: 0 to 65535.
    public final int flags() {
        return u32(TAG) >>> Short.SIZE;
    }

    /// Whether it wants no answer unless it fails.
    public final boolean isQuiet() {
        return (flags() & QUIET) != 0;
    }

    /// Whether the next command depends on it.
    public final boolean isLinked() {
        return (flags() & LINKED) != 0;
    }

    /// Sets what the guest calls this command.
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
