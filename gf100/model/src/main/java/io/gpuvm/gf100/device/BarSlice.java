package io.gpuvm.gf100.device;

/// Range of BAR1 or BAR3 for one use, for instance the USERD pages of some channels, or the part of
/// the BAR that one virtual machine sees.
///
/// BAR1 and BAR3 show memory through page tables of the GPU. All users of a GPU share these tables,
/// so the device holds them, and each user writes only the entries of its own slices. A new slice
/// shows no memory.
///
/// Any thread, one at a time, may write a slice's entries; only the owner's thread calls [#flush()]
/// and [#close()]. Entries survive a reset of the device.
public interface BarSlice extends AutoCloseable {
    /// Returns the slice's BAR.
    Bar bar();

    /// Returns the start of the slice in its BAR, in bytes, a multiple of 4 KiB.
    long offset();

    /// Returns the length in bytes, a multiple of 4 KiB.
    long bytes();

    /// Sets the memory that a page of the slice shows. The change takes effect at the next
    /// [#flush()] at the latest. The change may also affect writes issued before this call that are
    /// still in flight to the device; a read from the device completes such writes.
    ///
    /// @param page number of the 4 KiB page in the slice
    /// @param entry entry in the format of [PageTableEntry]; [PageTableEntry#NOT_PRESENT] shows
    ///   nothing
    /// @throws IndexOutOfBoundsException if the page is outside of the slice
    void set(int page, long entry);

    /// Makes all entries set before this call effective for all accesses after the call.
    ///
    /// @throws GpuDeviceException if the GPU does not respond in time
    void flush();

    /// Releases the slice; its pages show nothing from then on.
    @Override
    void close();
}
