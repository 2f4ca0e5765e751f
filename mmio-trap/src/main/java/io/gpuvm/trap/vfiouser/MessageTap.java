package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// Observer of the messages that clients send to a [VfioUserServer]. Each message is reported after
/// the server has handled it, and thus after its effects on the device.
///
/// All methods are called on the server's thread, in the order of the events, and must return soon,
/// because they delay the client. Memory in the arguments is valid only during the call.
public interface MessageTap {
    /// Called when a client has connected.
    void onConnect();

    /// Called once after each [#onConnect], when the client has disconnected.
    void onDisconnect();

    /// Called for a read.
    ///
    /// @param count length in bytes
    /// @param memory memory that contains the data read, at offset `at`
    void onRead(int region, long offset, long count, MemorySegment memory, long at);

    /// Called for a write, or for each write of a message with several writes.
    ///
    /// @param count length in bytes
    /// @param posted whether the client expects no reply
    /// @param memory memory that contains the data, at offset `at`
    void onWrite(
            int region, long offset, long count, boolean posted, MemorySegment memory, long at);

    /// Called for DMA_MAP.
    ///
    /// @param flags as in the message: 1 readable, 2 writable
    /// @param fileOffset start of the memory in its file
    /// @param shared whether the message carried a descriptor of the file
    void onDmaMap(int flags, long fileOffset, long guestPhys, long bytes, boolean shared);

    /// Called for DMA_UNMAP.
    ///
    /// @param flags as in the message: 2 unmaps all ranges
    void onDmaUnmap(int flags, long guestPhys, long bytes);

    /// Called for DEVICE_SET_IRQS.
    ///
    /// @param flags as in the message: type of data, and action
    /// @param index VFIO index of the interrupt, see [Irq]
    /// @param descriptors number of eventfds in the message
    void onSetIrqs(int flags, int index, int start, int count, int descriptors);

    /// Called for DEVICE_RESET.
    void onReset();

    /// Called for a command that queries constant properties: regions, interrupts, features.
    ///
    /// @param command number of the command
    void onQuery(int command);

    /// Called for a refused message, which had no effect.
    ///
    /// @param command number of the command, possibly unknown
    /// @param errno error number of the refusal
    void onRefused(int command, int errno);
}
