package io.gpuvm.trap.pci;

/// Region of a PCI function whose address is in the configuration space (PCI Local Bus
/// Specification 3.0, section 6.2.5.1).
///
/// @param index number of the base address register, 0 to 5; a 64-bit address also occupies the
///   next register
/// @param kind kind of region
/// @param bytes length, a power of two
public record BaseAddress(int index, Kind kind, long bytes) {
    /// Kind of a region, as encoded in the lowest bits of its register.
    public enum Kind {
        MEMORY_32(0x0),
        MEMORY_64_PREFETCHABLE(0xc),
        IO(0x1);

        private final int flags;

        Kind(int flags) {
            this.flags = flags;
        }
    }

    private static final int REGISTERS = 6;

    public BaseAddress {
        if (index < 0 || index >= REGISTERS || Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    "bar=%d, expected 0 to %d; bytes=%#x, expected a power of two"
                            .formatted(index, REGISTERS - 1, bytes));
        }
    }

    int flags() {
        return kind.flags;
    }

    boolean isMemory() {
        return kind != Kind.IO;
    }

    /// Returns the number of bytes of configuration space that the address occupies.
    int width() {
        return kind == Kind.MEMORY_64_PREFETCHABLE ? Long.BYTES : Integer.BYTES;
    }
}
