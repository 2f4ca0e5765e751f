package io.gpuvm.record;

/// What a record is about. The codes are part of the format: new kinds get new ones.
public enum RecordKind {
    /// The recording begins.
    BEGIN(1, RecordLayout.BEGIN_BYTES),
    /// The recording ends as it should.
    END(2, RecordLayout.END_BYTES),
    /// Records are missing here.
    LOST(3, RecordLayout.LOST_BYTES),
    /// A client has connected.
    CONNECT(4, RecordLayout.HEADER_BYTES),
    /// The client is gone.
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
    /// A command that asks for what never changes.
    QUERY(12, RecordLayout.MESSAGE_BYTES),
    /// A message that was refused.
    REFUSED(13, RecordLayout.MESSAGE_BYTES),
    /// Guest memory that the GPU is about to read.
    MEMORY(14, RecordLayout.MEMORY_DATA),
    /// Guest memory that the GPU is about to read, and that was too much to record.
    MEMORY_CUT(15, RecordLayout.LOST_BYTES),
    /// A doorbell that brings new work.
    DOORBELL(16, RecordLayout.DOORBELL_BYTES),
    /// A command was queued.
    SUBMITTED(17, RecordLayout.COMMAND_BYTES),
    /// A command was chosen to run, and runs.
    STARTED(18, RecordLayout.COMMAND_BYTES),
    /// A command has ended.
    COMPLETED(19, RecordLayout.COMMAND_BYTES),
    /// A command that was queued will not be started.
    WITHDRAWN(20, RecordLayout.COMMAND_BYTES),
    /// A command is charged for an engine that it was not queued for.
    CHARGED(21, RecordLayout.COMMAND_BYTES),
    /// What a virtual machine is entitled to from now on.
    SHARE(22, RecordLayout.SHARE_BYTES),
    /// What decides from now on.
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

    /// As it is written.
    byte code() {
        return code;
    }

    /// Length of a record of this kind without data.
    int leastBytes() {
        return leastBytes;
    }

    /// The kind that a code stands for, null if none.
    static RecordKind of(byte code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
