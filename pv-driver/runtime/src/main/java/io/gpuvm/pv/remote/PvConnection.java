package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.ring.SharedArea;

/// Open connection to a backend: the shared memory, and the wake-ups of both sides.
///
/// A connection does not interpret the contents of the shared memory; see [PvTransport].
public interface PvConnection extends AutoCloseable {
    /// Returns the shared area, which is mapped until [#close()].
    SharedArea area();

    /// Creates a separate mapping of a part of the data area, so that access to that part alone can
    /// be revoked. Any thread.
    ///
    /// @param offset offset in the data area, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.linux.LinuxException if Linux refuses the mapping
    MappedMemory mapData(long offset, long bytes);

    /// Wakes the host. Any thread.
    void wakeHost();

    /// Sleeps until the host or [#wake()] has signalled since the last call, the backend is gone,
    /// or the timeout has passed. May return early. One thread at a time.
    void sleep(long timeoutNs);

    /// Ends a [#sleep]. Any thread.
    void wake();

    /// Returns the reason why the backend is gone, as detected by [#sleep]; null while the backend
    /// is connected. Any thread.
    String lost();

    /// Unmaps the memory. The backend then releases all resources of this guest.
    @Override
    void close();
}
