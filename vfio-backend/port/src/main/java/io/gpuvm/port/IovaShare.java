package io.gpuvm.port;

import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Objects;

/// The bus addresses behind which one VM's memory lies: guest-physical address `p` is at `base +
/// p`.
///
/// @param base bus address of guest-physical address 0, a multiple of [VramShare#ALIGNMENT]
/// @param bytes length, also a multiple; guest-physical addresses from here on do not exist
public record IovaShare(long base, long bytes) {
    public IovaShare {
        // The bus addresses that the GPU can name have as many bits as its virtual ones.
        Shares.check("base", base, bytes, VramShare.ALIGNMENT, TableGeometry.VA_MASK);
    }

    /// Whether `[guestPhysical, guestPhysical + length)` may be the VM's. Any values may be asked.
    public boolean contains(long guestPhysical, long length) {
        return Shares.contains(bytes, guestPhysical, length);
    }

    /// The bus address of a guest-physical one.
    ///
    /// @throws IndexOutOfBoundsException if it is outside of the share
    public long toBus(long guestPhysical) {
        return base + Objects.checkIndex(guestPhysical, bytes);
    }
}
