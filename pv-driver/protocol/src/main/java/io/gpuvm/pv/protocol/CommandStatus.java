package io.gpuvm.pv.protocol;

/// How a command ended. The code is what stands in a [CompletionEntry].
public enum CommandStatus {
    /// Done.
    OK(0, "done"),
    /// There is no such opcode.
    BAD_OPCODE(1, "no such opcode"),
    /// A flag is set that does not exist, or not for this opcode.
    BAD_FLAGS(2, "no such flag for this opcode"),
    /// A handle or a channel's number that is not this guest's, or not any more.
    BAD_HANDLE(3, "not a handle of this guest"),
    /// A range that leaves what it is to lie in, or is empty.
    BAD_RANGE(4, "the range is empty or leaves what it is to lie in"),
    /// An address, offset or length that is no multiple of what it must be a multiple of.
    MISALIGNED(5, "not aligned"),
    /// Something is mapped there already.
    MAPPED(6, "something is mapped there"),
    /// Nothing is mapped there.
    NOT_MAPPED(7, "nothing is mapped there"),
    /// Something of the guest's own still uses it.
    BUSY(8, "still in use"),
    /// The guest's VRAM is used up.
    QUOTA_VRAM(9, "no VRAM left to this guest"),
    /// The guest has as many handles as it may.
    QUOTA_HANDLES(10, "no handle left to this guest"),
    /// The guest has as many address spaces as it may.
    QUOTA_SPACES(11, "no address space left to this guest"),
    /// The guest has as many pages mapped as it may.
    QUOTA_PAGES(12, "no mapped page left to this guest"),
    /// The guest has as many channels as it may.
    QUOTA_CHANNELS(13, "no channel left to this guest"),
    /// The guest waits for as many fences as it may.
    QUOTA_WAITS(14, "no wait left to this guest"),
    /// The host has no memory for it.
    NO_MEMORY(15, "the host has no memory for it"),
    /// The channel does nothing any more; its slot says why.
    CHANNEL_DEAD(16, "the channel is dead"),
    /// A wait's time is over.
    TIMED_OUT(17, "the time is over"),
    /// A linked command before it failed.
    CANCELLED(18, "a linked command before it failed");

    private static final CommandStatus[] BY_CODE = values();

    private final int code;
    private final String meaning;

    CommandStatus(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /// The number that stands for it, 0 to 65535.
    public int code() {
        return code;
    }

    /// A few words for messages.
    public String meaning() {
        return meaning;
    }

    /// What a number stands for; null if nothing.
    ///
    /// @param code any number
    public static CommandStatus of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
