package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.ring.SharedArea;

/// A way to a backend, open: the memory that is shared with it, and how each side wakes the other.
///
/// What is said through that memory is none of its business; see [PvTransport].
public interface PvConnection extends AutoCloseable {
    /// The shared area, mapped until [#close()].
    SharedArea area();

    /// Maps a part of the data area once more, for whoever needs to end access to just that part.
    /// Any thread.
    ///
    /// @param offset from the start of the data area, a multiple of 4 KiB
    /// @param bytes a multiple of 4 KiB
    /// @throws io.gpuvm.linux.LinuxException if the kernel refuses
    MappedMemory mapData(long offset, long bytes);

    /// Wakes the host. Any thread.
    void wakeHost();

    /// Sleeps until the host, or [#wake()], has signalled since the last call, the backend is gone,
    /// or the time is over; may return early. One thread at a time.
    void sleep(long timeoutNs);

    /// Ends a [#sleep]. Any thread.
    void wake();

    /// Why nobody is at the other end any more, as far as [#sleep] has found out; null while
    /// somebody is. Any thread.
    String lost();

    /// Lets go of the memory, and thereby of everything that the backend keeps for this guest.
    @Override
    void close();
}
