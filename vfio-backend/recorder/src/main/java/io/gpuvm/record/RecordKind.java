package io.gpuvm.record;

/// Kind of a record. The codes are part of the format: each new kind has a new code.
public enum RecordKind {
    /// Beginning of the recording.
    BEGIN(1, RecordLayout.BEGIN_BYTES),
    /// End of a complete recording.
    END(2, RecordLayout.END_BYTES),
    /// Gap in the recording, at which records are missing.
    LOST(3, RecordLayout.LOST_BYTES),
    /// Connection of a client.
    CONNECT(4, RecordLayout.HEADER_BYTES),
    /// Disconnection of the client.
    DISCONNECT(5, RecordLayout.HEADER_BYTES),
    /// Read, with its result.
    READ(6, RecordLayout.ACCESS_DATA),
    /// Write.
    WRITE(7, RecordLayout.ACCESS_DATA),
    /// Message `DMA_MAP`.
    DMA_MAP(8, RecordLayout.MAP_BYTES),
    /// Message `DMA_UNMAP`.
    DMA_UNMAP(9, RecordLayout.UNMAP_BYTES),
    /// Message `DEVICE_SET_IRQS`.
    SET_IRQS(10, RecordLayout.IRQS_BYTES),
    /// Message `DEVICE_RESET`.
    RESET(11, RecordLayout.HEADER_BYTES),
    /// Message that queries constant properties.
    QUERY(12, RecordLayout.MESSAGE_BYTES),
    /// Refused message.
    REFUSED(13, RecordLayout.MESSAGE_BYTES),
    /// Guest memory that the GPU is about to read.
    MEMORY(14, RecordLayout.MEMORY_DATA),
    /// Length of guest memory that the GPU is about to read and that exceeds the recording limit.
    MEMORY_CUT(15, RecordLayout.LOST_BYTES),
    /// Doorbell with new work.
    DOORBELL(16, RecordLayout.DOORBELL_BYTES),
    /// Submission of a command, which is now queued.
    SUBMITTED(17, RecordLayout.COMMAND_BYTES),
    /// Start of a command that the scheduler has chosen.
    STARTED(18, RecordLayout.COMMAND_BYTES),
    /// End of a command.
    COMPLETED(19, RecordLayout.COMMAND_BYTES),
    /// Withdrawal of a queued command, which will not start.
    WITHDRAWN(20, RecordLayout.COMMAND_BYTES),
    /// Charge before the end of a command.
    CHARGED(21, RecordLayout.COMMAND_BYTES),
    /// New time share of a virtual machine.
    SHARE(22, RecordLayout.SHARE_BYTES),
    /// New scheduling policy.
    POLICY(23, RecordLayout.POLICY_DATA);

    private static final RecordKind[] BY_CODE = new RecordKind[1 + values().length];

    static {
        for (RecordKind kind : values()) {
            BY_CODE[kind.code] = kind;
        }
    }

    private final byte code;
    private final int leastBytes;

    RecordKind(int code, int leastBytes) {
        this.code = (byte) code;
        this.leastBytes = leastBytes;
    }

    /// Returns the code in the file.
    byte code() {
        return code;
    }

    /// Returns the length of a record of this kind without data.
    int leastBytes() {
        return leastBytes;
    }

    /// Returns the kind with the given code; null if there is none.
    static RecordKind of(byte code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
