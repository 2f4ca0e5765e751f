package io.gpuvm.pv.host;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.WakeLine;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.Welcome;
import java.lang.foreign.MemorySegment;

/// One session of a place whose guests connect to a socket: the guest's connection, area and
/// wake-up lines, until the guest has left. Confined to the reception's thread.
final class SocketSession {
    private final GuestSlot slot;

    /// Connection of the guest; null if no guest is connected.
    private FdSocket socket;

    private AreaMemory memory;
    private WakeLine wakeHost;
    private WakeLine wakeGuest;

    SocketSession(GuestSlot slot) {
        this.slot = slot;
    }

    /// Returns the descriptor for whose events the session waits, or [Poller#NONE].
    int descriptor() {
        return slot.isServed() ? socket.descriptor() : Poller.NONE;
    }

    /// Admits a client to the free session.
    ///
    /// @param client connection, owned by the session from now on, unless the call fails
    /// @param dataBytes length of the data area
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU lacks resources for the guest
    /// @throws LinuxException if Linux provides no descriptor or mapping for the guest
    void open(FdSocket client, PvPlace place, long dataBytes) {
        try {
            memory = AreaMemory.create(place, AreaMemory.layoutOf(place, dataBytes));
            wakeHost = WakeLine.create();
            wakeGuest = WakeLine.create();
            slot.open(memory, HostWake.of(wakeHost), wakeGuest::signal);
        } catch (RuntimeException | Error e) {
            if (slot.isFree()) {
                closeMeans();
            }
            throw e;
        }
        socket = client;
    }

    /// Sends the answer to the client's `Hello`.
    ///
    /// @param protocol protocol of the rings
    /// @param welcome buffer for the message
    /// @return false if the guest cannot receive the descriptors: it has disconnected, or too many
    ///   descriptors of this process are in flight to clients that do not receive them
    /// @throws LinuxException if Linux refuses
    boolean welcome(RingProtocol protocol, MemorySegment welcome) {
        Welcome.to(protocol, memory.layout().bytes()).write(welcome);
        // Descriptors in the order of [Welcome].
        int[] descriptors = {
            memory.descriptor(), wakeHost.far().number(), wakeGuest.far().number()
        };
        return socket.send(welcome, 0, Welcome.BYTES, descriptors) == Welcome.BYTES;
    }

    /// Disconnects the guest, if one is connected.
    void leave() {
        slot.leave();
    }

    /// Disconnects a guest whose connection has ended, and continues its departure.
    ///
    /// @param buffer buffer of [Hello#BYTES]
    /// @param forget stops the wait for the connection
    /// @return amount of work done
    int doWork(MemorySegment buffer, Runnable forget) {
        int work = 0;
        if (slot.isServed() && (hasEnded(buffer) || slot.isDropped())) {
            slot.leave();
            work++;
        }
        work += slot.doWork();
        if (socket != null && !slot.isServed() && !slot.isLeaving()) {
            forget.run();
            socket.close();
            socket = null;
            if (slot.isFree()) {
                closeMeans();
            }
        }
        return work;
    }

    /// Closes the connection. Resources of a guest that has not left are not released.
    void close() {
        if (socket != null) {
            socket.close();
        }
    }

    /// Returns whether the connection has ended; any message of a guest after its `Hello` counts as
    /// the end.
    private boolean hasEnded(MemorySegment buffer) {
        return socket.receive(buffer, 0, Hello.BYTES) != FdSocket.NOTHING_YET;
    }

    /// Closes the resources that were allocated for a guest.
    private void closeMeans() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
        if (wakeHost != null) {
            wakeHost.close();
            wakeHost = null;
        }
        if (wakeGuest != null) {
            wakeGuest.close();
            wakeGuest = null;
        }
    }
}
