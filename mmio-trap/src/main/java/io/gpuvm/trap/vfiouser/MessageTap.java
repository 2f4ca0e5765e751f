package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Overhears what clients of a [VfioUserServer] send: each message after it was handled, so that
/// whatever the device did because of it comes before it.
///
/// Everything is called on the server's thread, in the order in which things happened, and must
/// return soon: a client waits meanwhile. Memory that is handed over is only valid during the call.
public interface MessageTap {
    /// A client has connected.
    void onConnect();

    /// The client is gone. Follows each [#onConnect].
    void onDisconnect();

    /// A read.
    ///
    /// @param count bytes
    /// @param memory has the answer at `at`
    void onRead(int region, long offset, long count, MemorySegment memory, long at);

    /// A write, or one of the writes of a message that has many.
    ///
    /// @param count bytes
    /// @param posted whether the client does not wait for a reply
    /// @param memory has the data at `at`
    void onWrite(
            int region, long offset, long count, boolean posted, MemorySegment memory, long at);

    /// DMA_MAP.
    ///
    /// @param flags as in the message: 1 readable, 2 writable
    /// @param fileOffset where the memory begins in its file
    /// @param shared whether a descriptor of that file came along
    void onDmaMap(int flags, long fileOffset, long guestPhys, long bytes, boolean shared);

    /// DMA_UNMAP.
    ///
    /// @param flags as in the message: 2 unmaps everything
    void onDmaUnmap(int flags, long guestPhys, long bytes);

    /// DEVICE_SET_IRQS.
    ///
    /// @param flags as in the message: what kind of data, and what to do
    /// @param index number of the kind of interrupt
    /// @param descriptors how many eventfds came along
    void onSetIrqs(int flags, int index, int start, int count, int descriptors);

    /// DEVICE_RESET.
    void onReset();

    /// A command that asks for what never changes: regions, interrupts, features.
    ///
    /// @param command its number
    void onQuery(int command);

    /// A message that was refused, and had no effect.
    ///
    /// @param command its number, whatever that is
    /// @param errno with which it was refused
    void onRefused(int command, int errno);
}
