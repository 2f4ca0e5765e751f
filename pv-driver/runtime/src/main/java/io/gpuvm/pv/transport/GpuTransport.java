package io.gpuvm.pv.transport;

import io.gpuvm.pv.protocol.GpuLimits;

/// Access to a GPU: a private address space, memory in it, and channels that use it.
///
/// A transport has no notion of kernels, copies or fences. These are words in push buffers, and
/// values that the GPU writes to [HostMemory]; the runtime writes and reads them in the same way on
/// every transport.
///
/// **Threading.** Any thread may call the methods of the transport and of the returned objects,
/// except that only one thread at a time may use a [GpuChannel].
public interface GpuTransport extends AutoCloseable {
    /// Returns the resources of the GPU for this user. Constant.
    GpuLimits limits();

    /// Allocates VRAM. Its contents are undefined, but never another user's data.
    ///
    /// @param bytes length, at least 1; rounded up to whole pages
    /// @throws TransportException if not enough VRAM is left
    GpuMemory allocateVram(long bytes);

    /// Allocates VRAM as [#allocateVram(long)] does, at addresses that the caller has [#reserve]d.
    ///
    /// @param addresses allocator of the address, which several transports may share
    /// @throws TransportException if not enough VRAM or no suitable range of addresses is left
    GpuMemory allocateVram(long bytes, GpuAddresses addresses);

    /// Removes a range from the addresses at which the other methods allocate memory.
    ///
    /// @param range first address and length, multiples of 4 KiB
    /// @throws TransportException if memory lies in the range, or if the transport cannot choose
    ///   addresses
    void reserve(AddressRange range);

    /// Returns the number of bytes of VRAM that are left for this user. Other users may allocate
    /// them at any time.
    ///
    /// @throws TransportException if the transport is unusable
    long freeVramBytes();

    /// Returns the number of pieces of freed memory that are not available yet, because the GPU may
    /// still use them. Unless it is 0, an allocation that fails for lack of memory may succeed
    /// later. It is 0 if [GpuMemory#close()] waits for the GPU.
    default int pendingFrees() {
        return 0;
    }

    /// Allocates zeroed memory that both the GPU and this process can access.
    ///
    /// @param bytes length, at least 1; rounded up to whole pages
    /// @throws TransportException if not enough memory is available
    HostMemory allocateHost(long bytes);

    /// Opens a channel in the address space, with nothing bound to its subchannels.
    ///
    /// @throws TransportException if no channel, or no memory for a channel, is left
    GpuChannel openChannel();

    /// Waits until the GPU may have reported an event: a channel's non-stall interrupt
    /// (`ChannelClass.NON_STALL_INTERRUPT`) or an error. May return early without an event, so a
    /// caller that waits for a value in memory reads it again. Events since this thread's last call
    /// are not lost.
    ///
    /// @param timeoutNs maximum wait in nanoseconds
    /// @throws TransportException if the connection to the GPU is lost
    void awaitNews(long timeoutNs) throws InterruptedException;

    /// Ends all channels and frees all memory. A second call has no effect.
    @Override
    void close();
}
