package io.gpuvm.port;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Objects;

/// The part of the VRAM that belongs to one VM: the guest's byte 0 is the host's `hostBase`.
///
/// @param hostBase where the part starts, in bytes, a multiple of the largest page
/// @param bytes its length, a multiple of the largest page
public record VramShare(long hostBase, long bytes) {
    /// What one share must start and end at, so that a page is in it wholly or not at all.
    public static final long ALIGNMENT = PageSize.BIG_128K.bytes();

    public VramShare {
        Shares.check("hostBase", hostBase, bytes, ALIGNMENT, TableGeometry.VA_MASK);
    }

    /// Whether `[guestVram, guestVram + length)` is the VM's. Any values may be asked.
    public boolean contains(long guestVram, long length) {
        return Shares.contains(bytes, guestVram, length);
    }

    /// The host's offset of a guest's.
    ///
    /// @throws IndexOutOfBoundsException if it is outside of the share
    public long toHost(long guestVram) {
        return hostBase + Objects.checkIndex(guestVram, bytes);
    }

    /// The guest's offset of a host's.
    ///
    /// @throws IndexOutOfBoundsException if it is outside of the share
    public long toGuest(long hostVram) {
        return Objects.checkIndex(hostVram - hostBase, bytes);
    }
}
