package io.gpuvm.pv.transport;

import io.gpuvm.pv.protocol.GpuLimits;

/// A way to a GPU: an address space of one's own, memory in it, and channels that work there.
///
/// What a transport does not know: kernels, copies, fences. Those are words in push buffers, and
/// values that the GPU writes to [HostMemory]; the runtime makes and reads them alike on every
/// transport.
///
/// **Threading.** All methods, here and of what they return, may be called by any thread, but for
/// [GpuChannel], which one thread at a time uses.
public interface GpuTransport extends AutoCloseable {
    /// What the GPU has for this user. Constant.
    GpuLimits limits();

    /// Memory of the GPU's own. What it holds is undefined, but never somebody else's data.
    ///
    /// @param bytes at least 1; rounded up to whole pages
    /// @throws TransportException if there is not as much left, naming what is
    GpuMemory allocateVram(long bytes);

    /// Memory that both the GPU and this process reach, zeroed.
    ///
    /// @param bytes at least 1; rounded up to whole pages
    /// @throws TransportException if there is not as much to be had
    HostMemory allocateHost(long bytes);

    /// A channel in the address space, with nothing bound to its subchannels.
    ///
    /// @throws TransportException if none is left
    GpuChannel openChannel();

    /// Waits until the GPU may have something to tell: a channel's non-stall interrupt
    /// (`ChannelClass.NON_STALL_INTERRUPT`) or an error. Returns early without a reason too, so
    /// whoever waits for a value in memory looks again. News that came since this thread's last
    /// call is not lost.
    ///
    /// @param timeoutNs how long at the most
    /// @throws TransportException if there is no way to the GPU any more
    void awaitNews(long timeoutNs) throws InterruptedException;

    /// Ends all channels and gives back all memory. A second call does nothing.
    @Override
    void close();
}
