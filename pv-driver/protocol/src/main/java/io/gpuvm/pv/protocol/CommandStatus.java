package io.gpuvm.pv.protocol;

/// Results of commands. The code is the status field of a [CompletionEntry].
public enum CommandStatus {
    /// Success.
    OK(0, "done"),
    /// The opcode does not exist.
    BAD_OPCODE(1, "unknown opcode"),
    /// A flag is undefined, or not allowed for this opcode.
    BAD_FLAGS(2, "flag is unknown, or not allowed for this opcode"),
    /// A handle or channel number does not belong to this guest, or has been released.
    BAD_HANDLE(3, "handle does not belong to this guest"),
    /// A range is empty, or exceeds the memory or address space that must contain it.
    BAD_RANGE(4, "range is empty or out of bounds"),
    /// An address, offset or length is not aligned.
    MISALIGNED(5, "not aligned"),
    /// The range contains a mapped page.
    MAPPED(6, "range contains mapped pages"),
    /// The range contains no mapped page.
    NOT_MAPPED(7, "range contains no mapped page"),
    /// Another object of the guest still uses this object.
    BUSY(8, "still in use"),
    /// The guest's share of the VRAM is exhausted.
    QUOTA_VRAM(9, "guest's VRAM is exhausted"),
    /// The guest has reached its quota of handles.
    QUOTA_HANDLES(10, "guest's quota of handles is exhausted"),
    /// The guest has reached its quota of address spaces.
    QUOTA_SPACES(11, "guest's quota of address spaces is exhausted"),
    /// The guest has reached its quota of mapped pages.
    QUOTA_PAGES(12, "guest's quota of mapped pages is exhausted"),
    /// The guest has reached its quota of channels.
    QUOTA_CHANNELS(13, "guest's quota of channels is exhausted"),
    /// The guest has reached its quota of waits for fences.
    QUOTA_WAITS(14, "guest's quota of waits is exhausted"),
    /// The host lacks memory for the command, or the guest's free VRAM is too fragmented.
    NO_MEMORY(15, "host is out of memory for the command"),
    /// The channel executes no more work; its slot contains the reason.
    CHANNEL_DEAD(16, "channel is dead"),
    /// A wait has timed out.
    TIMED_OUT(17, "wait timed out"),
    /// An earlier command of the chain failed.
    CANCELLED(18, "an earlier linked command failed");

    private static final CommandStatus[] BY_CODE = values();

    private final int code;
    private final String meaning;

    CommandStatus(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /// Returns the code of the status, 0 to 65535.
    public int code() {
        return code;
    }

    /// Returns a short description for messages.
    public String meaning() {
        return meaning;
    }

    /// Returns the status with the given code; null if the code is undefined.
    ///
    /// @param code any number
    public static CommandStatus of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
