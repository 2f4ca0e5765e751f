package io.gpuvm.port;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.util.Objects;

/// Part of the VRAM that belongs to one virtual machine: the guest's byte 0 is the host's
/// `hostBase`.
///
/// @param hostBase start of the part, in bytes, a multiple of the largest page
/// @param bytes length, a multiple of the largest page
public record VramShare(long hostBase, long bytes) {
    /// Alignment of both ends of a share, so that no page lies partly in it.
    public static final long ALIGNMENT = PageSize.BIG_128K.bytes();

    public VramShare {
        Shares.check("hostBase", hostBase, bytes, ALIGNMENT, TableGeometry.VA_MASK);
    }

    /// Returns whether `[guestVram, guestVram + length)` lies in the share. Any values are allowed.
    public boolean contains(long guestVram, long length) {
        return Shares.contains(bytes, guestVram, length);
    }

    /// Returns the host's offset for a guest's offset.
    ///
    /// @throws IndexOutOfBoundsException if the offset is outside the share
    public long toHost(long guestVram) {
        return hostBase + Objects.checkIndex(guestVram, bytes);
    }

    /// Returns the guest's offset for a host's offset.
    ///
    /// @throws IndexOutOfBoundsException if the offset is outside the share
    public long toGuest(long hostVram) {
        return Objects.checkIndex(hostVram - hostBase, bytes);
    }
}
