package io.gpuvm.pv.runtime;

import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.TransportException;

/// Settings of a [GpuContext].
///
/// @param deviceAddresses allocator of the addresses of all memory in VRAM, modules included, which
///   other contexts may share; null if the transport allocates addresses
/// @param waitsForMemory whether an allocation that finds no free memory waits until earlier work
///   no longer uses freed memory; otherwise it fails, and [GpuContext#releases()] shows if a later
///   attempt may succeed
public record ContextSettings(GpuAddresses deviceAddresses, boolean waitsForMemory) {
    /// Settings for programs: addresses of the transport, and allocations that wait.
    public static final ContextSettings DEFAULT = new ContextSettings(null, true);

    /// Returns settings with addresses from a range.
    ///
    /// @throws GpuException [GpuError#INVALID_VALUE] if the range is not valid; the message names
    ///   the range and the limits
    public ContextSettings within(AddressRange range) {
        try {
            return new ContextSettings(GpuAddresses.within(range), waitsForMemory);
        } catch (TransportException e) {
            throw new GpuException(GpuError.INVALID_VALUE, e.getMessage(), e);
        }
    }
}
