package io.gpuvm.gf100.mmu;

/// Reasons for which the MMU refuses an access (`rnndb/memory/gf100_vm.xml`, enum
/// `GF100_VM_FAULT`).
public enum FaultReason {
    PAGE_TABLE_NOT_PRESENT(0x0),
    PAGE_TABLE_TOO_SHORT(0x1),
    PAGE_NOT_PRESENT(0x2),
    VM_LIMIT_EXCEEDED(0x3),
    NO_CHANNEL(0x4),
    PAGE_PRIVILEGED(0x5),
    PAGE_READ_ONLY(0x6),
    COMPRESSED_SYSTEM_MEMORY(0xa),
    INVALID_STORAGE_TYPE(0xc);

    private final int code;

    FaultReason(int code) {
        this.code = code;
    }

    /// Returns the code in a fault's status word.
    public int code() {
        return code;
    }

    /// Returns the name of a code in a fault's status word, for messages.
    public static String nameOf(int code) {
        for (FaultReason reason : values()) {
            if (reason.code == code) {
                return reason.name();
            }
        }
        return "reason %#x".formatted(code);
    }
}
