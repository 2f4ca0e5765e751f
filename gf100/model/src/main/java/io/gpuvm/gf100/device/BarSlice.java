package io.gpuvm.gf100.device;

/// A piece of BAR1 or BAR3 for one use, for instance the USERD pages of some channels, or what one
/// virtual machine sees of the BAR.
///
/// BAR1 and BAR3 show memory through page tables of the GPU. Where several users share a GPU, they
/// share those tables, too, so the device keeps them and each user writes the entries of its own
/// slices. A new slice translates nothing.
///
/// Entries of one slice may be written by one thread at a time, any thread; [#flush()] and
/// [#close()] belong to the device's owner. Entries are kept when the device is reset.
public interface BarSlice extends AutoCloseable {
    /// The BAR that this is a piece of.
    Bar bar();

    /// Where the slice starts in its BAR, in bytes, a multiple of 4 KiB.
    long offset();

    /// Length in bytes, a multiple of 4 KiB.
    long bytes();

    /// Sets what a page of the slice shows. Accesses see it after the next [#flush()] for certain,
    /// and perhaps before; that goes also for writes that were made earlier and are still under way
    /// to the device, until something has been read from it.
    ///
    /// @param page number of the 4 KiB page in the slice
    /// @param entry as in [PageTableEntry]; [PageTableEntry#NOT_PRESENT] shows nothing
    /// @throws IndexOutOfBoundsException if the slice has no such page
    void set(int page, long entry);

    /// Makes all entries that were set before count for all accesses after.
    ///
    /// @throws GpuDeviceException if the GPU does not answer in time
    void flush();

    /// Gives the piece back; its pages show nothing from then on.
    @Override
    void close();
}
