package io.gpuvm.pv.transport;

import io.gpuvm.gf100.driver.FreeRanges;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;

/// Free addresses of an address space, or of a range that several address spaces use. Any thread.
///
/// Addresses are allocated from the lowest upwards, so that 32-bit kernels can access as much
/// memory as possible. One unmapped page follows every piece; the lowest addresses and the
/// [GenericWindows] also stay unmapped.
public final class GpuAddresses {
    private static final long PAGE = PageSize.SMALL_4K.bytes();

    /// First address in use: null pointers with an index into any reasonable structure lie below
    /// it.
    private static final long FIRST = 1L << 20;

    private static final AddressRange ALL =
            new AddressRange(FIRST, TableGeometry.VA_MASK + 1 - FIRST);

    private final AddressRange range;
    private final long bigPage;
    private final FreeRanges free = new FreeRanges();

    /// @param bigPage page size to which pieces of at least this size are aligned, so that they can
    ///   consist of such pages
    public GpuAddresses(PageSize bigPage) {
        this(ALL, bigPage);
        long windowsEnd = GenericWindows.LOCAL + GenericWindows.BYTES;
        addFree(FIRST, GenericWindows.SHARED);
        addFree(windowsEnd, ALL.end());
    }

    private GpuAddresses(AddressRange range, PageSize bigPage) {
        this.range = range;
        this.bigPage = bigPage.bytes();
    }

    /// Returns the addresses of a range, from which the caller allocates in place of a transport's
    /// own addresses.
    ///
    /// @param range first address and length, multiples of 128 KiB, from 1 MiB to 2^40, without
    ///   addresses of the [GenericWindows]
    /// @throws TransportException if the range is not valid
    public static GpuAddresses within(AddressRange range) {
        long alignment = PageSize.BIG_128K.bytes();
        if (range.bytes() < alignment
                || (range.first() | range.bytes()) % alignment != 0
                || range.first() < ALL.first()
                || range.first() > ALL.end() - range.bytes()
                || GenericWindows.overlap(range.first(), range.bytes())) {
            throw new TransportException(
                    "device addresses=%#x, bytes=%#x, expected multiples of %d within %s without %#x-%#x"
                            .formatted(
                                    range.first(),
                                    range.bytes(),
                                    alignment,
                                    ALL,
                                    GenericWindows.SHARED,
                                    GenericWindows.LOCAL + GenericWindows.BYTES));
        }
        GpuAddresses addresses = new GpuAddresses(range, PageSize.BIG_128K);
        addresses.addFree(range.first(), range.end());
        return addresses;
    }

    /// Returns the range that contains all addresses.
    public AddressRange range() {
        return range;
    }

    /// Allocates a piece.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return start address of the piece
    /// @throws TransportException if no free range is large enough
    public synchronized long take(long bytes) {
        long alignment = bytes >= bigPage ? bigPage / PAGE : 1;
        long first = free.take(bytes / PAGE + 1, alignment);
        if (first < 0) {
            throw new TransportException(
                    "bytes=%d, limit=%d (largest free range of addresses in %s)"
                            .formatted(bytes, Math.max(0, free.largest() - 1) * PAGE, range));
        }
        return first * PAGE;
    }

    /// Removes a range, which [#take] then does not return.
    ///
    /// @param reserved first address and length, multiples of 4 KiB
    /// @throws TransportException if an address in the range is not free
    public synchronized void reserve(AddressRange reserved) {
        if (!free.takeAt(reserved.first() / PAGE, reserved.bytes() / PAGE)) {
            throw new TransportException(
                    "device addresses=%s, expected free addresses in %s"
                            .formatted(reserved, range));
        }
    }

    /// Frees a piece that [#take] returned.
    public synchronized void giveBack(long gpuVa, long bytes) {
        free.giveBack(gpuVa / PAGE, bytes / PAGE + 1);
    }

    private void addFree(long from, long to) {
        free.giveBack(from / PAGE, (to - from) / PAGE);
    }
}
