package io.gpuvm.remote.link;

import io.gpuvm.linux.TcpSocket;
import java.security.cert.X509Certificate;

/// Connection to a peer: a stream of bytes in each direction. One thread at a time; no method
/// waits.
abstract class Connection implements AutoCloseable {
    /// Slot of a connection that no loop watches.
    static final int NO_SLOT = -1;

    private final TcpSocket socket;
    private int slot = NO_SLOT;

    /// True if the socket may have data.
    private boolean readable = true;

    /// True if the socket has become ready since it was watched.
    private boolean wasReady;

    Connection(TcpSocket socket) {
        this.socket = socket;
    }

    /// Continues the handshake on a connected socket.
    ///
    /// @return whether bytes can be sent and received
    abstract boolean establish() throws ConnectionException;

    /// Receives bytes.
    ///
    /// @param room space in bytes; at least 16 KiB for TLS
    /// @return number of bytes; 0 if none are available
    abstract long receive(NativeBytes target, long offset, long room) throws ConnectionException;

    /// Sends bytes, or keeps them until [#flush()]. A range of at most [Wire#MOST_CONTROL] bytes is
    /// accepted as a whole or not at all.
    ///
    /// @return number of accepted bytes
    abstract long send(NativeBytes source, long offset, long bytes) throws ConnectionException;

    /// Sends bytes that are kept.
    ///
    /// @return whether no more bytes are kept
    abstract boolean flush() throws ConnectionException;

    /// Returns whether bytes wait for space in the socket.
    abstract boolean wantsToWrite();

    /// Makes buffers large enough for fast transfers. Called when the peer has been identified.
    abstract void expand();

    /// Returns the peer's certificate; null if it has presented none.
    abstract X509Certificate certificate();

    /// Returns a value that only both ends of this connection know, and no other connection has
    /// ([SealedName]).
    ///
    /// @throws ConnectionException if the connection has no TLS
    abstract byte[] binding() throws ConnectionException;

    /// Announces that this side sends nothing more, and drops all further bytes of the peer.
    abstract void finish();

    final TcpSocket socket() {
        return socket;
    }

    final int slot() {
        return slot;
    }

    final void setSlot(int newSlot) {
        slot = newSlot;
    }

    /// Called if the socket is ready.
    final void onReady() {
        readable = true;
        wasReady = true;
    }

    /// Returns whether the socket has become ready since it was watched.
    final boolean wasReady() {
        return wasReady;
    }

    /// Receives from the socket, unless it is known to have no data.
    ///
    /// @return number of bytes; 0 if none are available
    final long receiveRaw(NativeBytes target, long offset, long room) throws ConnectionException {
        if (!readable) {
            return 0;
        }
        long got = socket.receive(target.segment(), offset, room);
        if (got == TcpSocket.END) {
            throw ConnectionException.broken(socket.failure());
        }
        readable = got == room;
        return Math.max(got, 0);
    }

    /// Sends to the socket.
    ///
    /// @return number of bytes
    final long sendRaw(NativeBytes source, long offset, long bytes) throws ConnectionException {
        long done = socket.send(source.segment(), offset, bytes);
        if (done == TcpSocket.END) {
            throw ConnectionException.broken(socket.failure());
        }
        return done;
    }

    @Override
    public void close() {
        socket.close();
    }
}
