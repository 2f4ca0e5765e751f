package io.gpuvm.port;

import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Objects;

/// Bus addresses of one virtual machine's memory: guest-physical address `p` is at `base + p`.
///
/// @param base bus address of guest-physical address 0, a multiple of [VramShare#ALIGNMENT]
/// @param bytes length, a multiple of [VramShare#ALIGNMENT]; higher guest-physical addresses do not
///   exist
public record IovaShare(long base, long bytes) {
    public IovaShare {
        // The GPU's bus addresses have as many bits as its virtual addresses.
        Shares.check("base", base, bytes, VramShare.ALIGNMENT, TableGeometry.VA_MASK);
    }

    /// Returns whether `[guestPhysical, guestPhysical + length)` lies in the share. Any values are
    /// allowed.
    public boolean contains(long guestPhysical, long length) {
        return Shares.contains(bytes, guestPhysical, length);
    }

    /// Returns the bus address of a guest-physical address.
    ///
    /// @throws IndexOutOfBoundsException if the address is outside the share
    public long toBus(long guestPhysical) {
        return base + Objects.checkIndex(guestPhysical, bytes);
    }
}
