package io.gpuvm.record;

/// Kinds of records. The codes are part of the format: new kinds get new codes.
public enum RecordKind {
    /// Beginning of the recording.
    BEGIN(1, RecordLayout.BEGIN_BYTES),
    /// End of a complete recording.
    END(2, RecordLayout.END_BYTES),
    /// Records are missing here.
    LOST(3, RecordLayout.LOST_BYTES),
    /// A client has connected.
    CONNECT(4, RecordLayout.HEADER_BYTES),
    /// The client has disconnected.
    DISCONNECT(5, RecordLayout.HEADER_BYTES),
    /// A read, with its answer.
    READ(6, RecordLayout.ACCESS_DATA),
    /// A write.
    WRITE(7, RecordLayout.ACCESS_DATA),
    /// DMA_MAP.
    DMA_MAP(8, RecordLayout.MAP_BYTES),
    /// DMA_UNMAP.
    DMA_UNMAP(9, RecordLayout.UNMAP_BYTES),
    /// DEVICE_SET_IRQS.
    SET_IRQS(10, RecordLayout.IRQS_BYTES),
    /// DEVICE_RESET.
    RESET(11, RecordLayout.HEADER_BYTES),
    /// A command that queries constant properties.
    QUERY(12, RecordLayout.MESSAGE_BYTES),
    /// A message that was refused.
    REFUSED(13, RecordLayout.MESSAGE_BYTES),
    /// Guest memory that the GPU is about to read.
    MEMORY(14, RecordLayout.MEMORY_DATA),
    /// Guest memory that the GPU is about to read, beyond the recording limit.
    MEMORY_CUT(15, RecordLayout.LOST_BYTES),
    /// A doorbell with new work.
    DOORBELL(16, RecordLayout.DOORBELL_BYTES),
    /// A command was queued.
    SUBMITTED(17, RecordLayout.COMMAND_BYTES),
    /// A command was chosen and started.
    STARTED(18, RecordLayout.COMMAND_BYTES),
    /// A command has ended.
    COMPLETED(19, RecordLayout.COMMAND_BYTES),
    /// A queued command will not start.
    WITHDRAWN(20, RecordLayout.COMMAND_BYTES),
    /// A command was charged for an engine for which it was not queued.
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

    /// Returns the kind with a code, or null.
    static RecordKind of(byte code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
