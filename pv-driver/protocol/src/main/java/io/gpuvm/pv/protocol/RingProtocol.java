package io.gpuvm.pv.protocol;

/// Protocols of the entries in the rings of a shared area. They have the same handshakes, areas,
/// rings and PCI functions, which magic numbers distinguish.
public enum RingProtocol {
    /// Commands of paravirtual guests ([CommandOpcode]).
    COMMANDS(0x76702d6d_76757067L, 0x56507067, "paravirtual guests"),
    /// Calls of the CUDA driver API.
    CUDA(0x75632d6d_76757067L, 0x55437067, "CUDA programs");

    private final long magic;
    private final int functionMagic;
    private final String clients;

    RingProtocol(long magic, int functionMagic, String clients) {
        this.magic = magic;
        this.functionMagic = functionMagic;
        this.clients = clients;
    }

    /// Returns the magic number of [Hello], [Welcome] and [AreaHeader], a text of eight characters.
    public long magic() {
        return magic;
    }

    /// Returns the value of the register [FunctionRegisters#MAGIC], a text of four characters.
    public int functionMagic() {
        return functionMagic;
    }

    /// Returns the plural name of the clients, for messages.
    public String clients() {
        return clients;
    }

    /// Returns the protocol with a magic number; null if there is none.
    static RingProtocol of(long magic) {
        for (RingProtocol protocol : values()) {
            if (protocol.magic == magic) {
                return protocol;
            }
        }
        return null;
    }
}
