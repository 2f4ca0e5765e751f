package io.gpuvm.gf100.mmu;

/// Clients of the hub through which accesses reach the MMU (`rnndb/memory/gf100_vm.xml`, enum
/// `GF100_VM_HUBCLIENT`).
public enum FaultClient {
    PCOPY0(0x01),
    PCOPY1(0x02),
    /// PGRAPH's front end, including M2MF.
    DISPATCH(0x04),
    PFIFO(0x06),
    BAR_READ(0x07),
    BAR_WRITE(0x08);

    private final int code;

    FaultClient(int code) {
        this.code = code;
    }

    /// Returns the code in a fault's status word.
    public int code() {
        return code;
    }

    /// Returns the name of a client of the hub, for messages.
    public static String nameOf(int code) {
        for (FaultClient client : values()) {
            if (client.code == code) {
                return client.name();
            }
        }
        return "%#x".formatted(code);
    }
}
