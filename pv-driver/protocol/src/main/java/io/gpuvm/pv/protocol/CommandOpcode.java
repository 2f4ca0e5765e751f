package io.gpuvm.pv.protocol;

/// Operations of commands. The code is the opcode field of a [CommandEntry].
public enum CommandOpcode {
    /// No operation; answered in order.
    NOP(0x01),
    /// Allocates VRAM ([VramAllocCommand]). Result: its handle.
    VRAM_ALLOC(0x10),
    /// Frees VRAM ([HandleCommand]). Mappings that still refer to this VRAM show later allocations
    /// of the same guest, never another guest's memory.
    VRAM_FREE(0x11),
    /// Creates an empty address space. Result: its handle.
    SPACE_CREATE(0x20),
    /// Destroys an address space with all its mappings ([HandleCommand]). Refused while a channel
    /// uses the space.
    SPACE_DESTROY(0x21),
    /// Maps one piece of memory at one address ([MapCommand]).
    MAP(0x22),
    /// Maps pieces at equal distances in memory to consecutive addresses ([MapStridedCommand]).
    MAP_STRIDED(0x23),
    /// Maps the pieces of a list in the data area to consecutive addresses ([MapListCommand]).
    MAP_LIST(0x24),
    /// Unmaps a range ([UnmapCommand]). Answered once the GPU has flushed the old mapping from its
    /// TLBs.
    UNMAP(0x25),
    /// Creates a channel in an address space ([ChannelCreateCommand]). Result: number of the
    /// channel.
    CHANNEL_CREATE(0x30),
    /// Destroys a channel, even if it is busy ([HandleCommand]). Answered once the GPU has released
    /// the channel.
    CHANNEL_DESTROY(0x31),
    /// Submits a channel's ring up to an entry ([SubmitCommand]).
    SUBMIT(0x32),
    /// Reads a word of the data area ([FenceQueryCommand]). Result: the word.
    FENCE_QUERY(0x40),
    /// Waits until a word of the data area reaches a value ([FenceWaitCommand]). Result: the word.
    FENCE_WAIT(0x41),
    /// Declares words of the data area as fences ([FenceDeclareCommand]): over a network, the guest
    /// sees a change of a declared word only after the data that the GPU wrote before it.
    FENCE_DECLARE(0x42),
    /// Writes the guest's own statistics into the data area ([StatisticsCommand]).
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

    /// Returns the code of the opcode, 1 to 65535.
    public int code() {
        return code;
    }

    /// Returns the opcode with the given code; null if the code is undefined.
    ///
    /// @param code any number
    public static CommandOpcode of(int code) {
        return code >= 0 && code < LIMIT ? BY_CODE[code] : null;
    }
}
