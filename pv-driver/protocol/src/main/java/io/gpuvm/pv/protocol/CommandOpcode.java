package io.gpuvm.pv.protocol;

/// What a command asks for. The code is what stands in a [CommandEntry].
public enum CommandOpcode {
    /// Nothing; answered in its turn.
    NOP(0x01),
    /// Memory of the GPU's own ([VramAllocCommand]). Result: its handle.
    VRAM_ALLOC(0x10),
    /// Gives such memory back ([HandleCommand]). Where it is still mapped, the GPU finds whatever
    /// the guest has there next, and nobody else's.
    VRAM_FREE(0x11),
    /// An empty address space. Result: its handle.
    SPACE_CREATE(0x20),
    /// Ends an address space, and all mappings in it ([HandleCommand]). Refused while a channel
    /// uses it.
    SPACE_DESTROY(0x21),
    /// Shows one piece of memory at one address ([MapCommand]).
    MAP(0x22),
    /// Shows pieces at equal distances one behind the other ([MapStridedCommand]).
    MAP_STRIDED(0x23),
    /// Shows the pieces of a list in the data area one behind the other ([MapListCommand]).
    MAP_LIST(0x24),
    /// Shows nothing any more ([UnmapCommand]). Answered when the GPU has forgotten what was there.
    UNMAP(0x25),
    /// A channel in an address space ([ChannelCreateCommand]). Result: its number.
    CHANNEL_CREATE(0x30),
    /// Ends a channel, whatever it is doing ([HandleCommand]). Answered when the GPU is off it.
    CHANNEL_DESTROY(0x31),
    /// Has the GPU work off a channel's ring up to an entry ([SubmitCommand]).
    SUBMIT(0x32),
    /// Reads a word of the data area ([FenceQueryCommand]). Result: the word.
    FENCE_QUERY(0x40),
    /// Waits for a word of the data area ([FenceWaitCommand]). Result: the word.
    FENCE_WAIT(0x41),
    /// What the guest itself uses and did ([StatisticsCommand]).
    STATISTICS(0x50);

    private static final int LIMIT = 0x60;
    private static final CommandOpcode[] BY_CODE = new CommandOpcode[LIMIT];

    static {
        for (CommandOpcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    private final int code;

    CommandOpcode(int code) {
        this.code = code;
    }

    /// The number that stands for it, 1 to 65535.
    public int code() {
        return code;
    }

    /// What a number stands for; null if nothing.
    ///
    /// @param code any number
    public static CommandOpcode of(int code) {
        return code >= 0 && code < LIMIT ? BY_CODE[code] : null;
    }
}
