package io.gpuvm.remote.link;

import io.gpuvm.linux.RingMemory;
import java.lang.foreign.MemorySegment;

/// Lane of a link: both streams, and the connection that carries them at present. Confined to the
/// loop's thread.
final class LinkLane implements Incoming.Control, AutoCloseable {
    /// Part of the smaller ring after which received bytes are acknowledged, and released bytes
    /// granted again.
    private static final int STATUS_PARTS = 8;

    /// Maximum number of bytes that a call receives, and that it sends, so that no lane delays the
    /// others.
    private static final long MOST_BYTES = 2 << 20;

    /// Maximum number of records of TLS that a call receives: short ones cost as much time as long
    /// ones.
    private static final int MOST_RECEPTIONS = 256;

    private final Link link;
    private final Lane lane;
    private final LinkLoop loop;
    private final Outgoing out;
    private final MemorySegment compressedHead =
            MemorySegment.ofArray(new long[FrameCompressor.HEADER_BYTES / Long.BYTES]);
    private final Incoming in;
    private final int ringBytes;
    private final long heartbeatNs;
    private final long silenceNs;

    /// Connection that carries the lane; null if it is broken.
    private Connection connection;

    /// True if both ends have said which frames they have received.
    private boolean open;

    /// Number of bytes after which a status is sent.
    private long statusBytes;

    /// True if frames wait for space in the socket.
    private boolean blocked;

    private boolean statusDue;
    private long reportedReceived;
    private long reportedLimit;
    private long sentNs;
    private long receivedNs;
    private long brokenNs;

    /// Refusal that has arrived; null if none has.
    private Refusal refusal;

    /// True if this end may compress frames.
    private boolean compresses;

    /// Error of a frame that the user of the link has looked at; null if there is none.
    private ProtocolException invalid;

    LinkLane(Link link, Lane lane, LinkLoop loop, long nowNs) {
        this.link = link;
        this.lane = lane;
        this.loop = loop;
        ringBytes = loop.options().ringBytes(lane);
        heartbeatNs = loop.options().heartbeat().toNanos();
        silenceNs = loop.options().silence().toNanos();
        brokenNs = nowNs;
        RingMemory sending = RingMemory.create("gpuvm-link", ringBytes);
        try {
            in = new Incoming(RingMemory.create("gpuvm-link", ringBytes), loop.compressor());
        } catch (RuntimeException | Error e) {
            sending.close();
            throw e;
        }
        out = new Outgoing(sending);
    }

    Lane lane() {
        return lane;
    }

    Outgoing out() {
        return out;
    }

    Incoming in() {
        return in;
    }

    /// Returns whether frames can be exchanged at present.
    boolean isOpen() {
        return open;
    }

    boolean isConnected() {
        return connection != null;
    }

    /// Returns the time at which the last connection broke, or at which the lane was created.
    long brokenNs() {
        return brokenNs;
    }

    /// Returns this end's greeting.
    Greeting greeting(boolean isNew, int graceMs, SessionKey key, String name, byte[] content) {
        reportedReceived = in.received();
        reportedLimit = in.limit();
        return new Greeting(
                lane,
                isNew,
                graceMs,
                key,
                reportedReceived,
                reportedLimit,
                ringBytes,
                loop.options().compression() ? Greeting.ACCEPTS_LZ4 : 0,
                name,
                content,
                "");
    }

    /// Continues on another connection, over which this end has sent its greeting.
    ///
    /// @param next connection that the loop watches and that this lane owns
    void attach(Connection next, long nowNs) {
        detach(nowNs);
        connection = next;
        in.resume();
        sentNs = nowNs;
        receivedNs = nowNs;
        next.expand();
    }

    /// Repeats what the peer has not received, and continues.
    void open(Greeting peer) throws ProtocolException {
        out.resume(peer.received(), peer.limit());
        statusBytes = Math.min(in.window(), peer.ringBytes()) / STATUS_PARTS;
        compresses =
                loop.options().compression()
                        && lane == Lane.BULK
                        && (peer.features() & Greeting.ACCEPTS_LZ4) != 0;
        open = true;
    }

    /// Appends a data frame whose payload consists of two parts, for which the lane has room. The
    /// frame is compressed if that makes it much shorter.
    void append(
            int type,
            MemorySegment first,
            long firstOffset,
            long firstBytes,
            MemorySegment second,
            long secondOffset,
            long secondBytes) {
        if (compresses) {
            FrameCompressor compressor = loop.compressor();
            int bytes =
                    compressor.compress(
                            first, firstOffset, firstBytes, second, secondOffset, secondBytes);
            if (bytes != FrameCompressor.INCOMPRESSIBLE) {
                compressedHead.set(Wire.U32, 0, (int) (firstBytes + secondBytes));
                out.append(
                        Wire.DATA,
                        Wire.COMPRESSED,
                        type,
                        compressedHead,
                        0,
                        FrameCompressor.HEADER_BYTES,
                        compressor.block(),
                        0,
                        bytes);
                return;
            }
        }
        out.append(
                Wire.DATA,
                (byte) 0,
                type,
                first,
                firstOffset,
                firstBytes,
                second,
                secondOffset,
                secondBytes);
    }

    /// Returns the oldest received frame; null if there is none, or if it is invalid, which ends
    /// the link with the next call of [#work].
    LinkFrame peek() {
        try {
            return invalid == null ? in.peek() : null;
        } catch (ProtocolException e) {
            invalid = e;
            return null;
        }
    }

    /// Drops the current connection, if there is one.
    void detach(long nowNs) {
        if (connection != null) {
            loop.close(connection);
            connection = null;
            open = false;
            brokenNs = nowNs;
        }
    }

    /// Ends the current connection, if there is one, after the peer has been told the reason.
    ///
    /// @param last reason, null if the peer knows
    void dismiss(Refusal last, long nowNs) {
        if (connection == null) {
            return;
        }
        if (last != null && out.isAtBoundary()) {
            loop.sendRefusal(connection, last);
        }
        loop.dismiss(connection, nowNs);
        connection = null;
        open = false;
        brokenNs = nowNs;
    }

    /// Makes the next call of [#work] report to the peer.
    void requestStatus() {
        statusDue = true;
    }

    /// Returns whether all appended frames, and a requested report, have been sent.
    boolean isFlushed() {
        return connection == null
                || !open
                || !statusDue && !out.hasUnsent() && !connection.wantsToWrite();
    }

    /// Receives and sends.
    ///
    /// @return amount of work done
    int work(long nowNs) throws ConnectionException, ProtocolException {
        if (invalid != null) {
            throw invalid;
        }
        if (connection == null) {
            return 0;
        }
        int work = receive(nowNs);
        if (refusal != null) {
            return work;
        }
        if (open) {
            work += pump(nowNs);
        } else {
            connection.flush();
        }
        if (nowNs - receivedNs > silenceNs) {
            throw ConnectionException.broken(
                    "nothing received for %d ms".formatted((nowNs - receivedNs) / 1_000_000));
        }
        blocked = connection.wantsToWrite() || open && out.hasUnsent();
        loop.watchForSpace(connection, blocked);
        return work;
    }

    /// Sends what is due, without receiving.
    int flush(long nowNs) throws ConnectionException {
        return connection != null && open ? pump(nowNs) : 0;
    }

    long nanosUntilWork(long nowNs) {
        if (invalid != null) {
            return 0;
        }
        if (connection == null) {
            return Long.MAX_VALUE;
        }
        long silent = receivedNs + silenceNs - nowNs;
        return open && !blocked ? Math.min(silent, sentNs + heartbeatNs - nowNs) : silent;
    }

    /// Returns the refusal that has arrived; null if none has.
    Refusal refusal() {
        return refusal;
    }

    /// Returns the refusal that has arrived, and forgets it.
    Refusal takeRefusal() {
        Refusal taken = refusal;
        refusal = null;
        return taken;
    }

    @Override
    public void onControl(byte kind, MemorySegment memory, long offset, int bytes)
            throws ProtocolException {
        switch (kind) {
            case Wire.STATUS -> {
                if (!open || bytes < Wire.STATUS_BYTES) {
                    throw new ProtocolException(
                            "status bytes=%d, expected at least %d after the greetings"
                                    .formatted(bytes, Wire.STATUS_BYTES));
                }
                out.onStatus(
                        memory.get(Wire.U64, offset + Wire.STATUS_RECEIVED),
                        memory.get(Wire.U64, offset + Wire.STATUS_LIMIT));
            }
            case Wire.WELCOME -> link.onWelcome(this, Greeting.read(memory, offset, bytes));
            case Wire.REFUSED -> refusal = Refusal.read(memory, offset, bytes);
            default -> throw new ProtocolException("control frame of kind %d".formatted(kind));
        }
    }

    @Override
    public void onClose(String reason) {
        statusDue = true;
        link.onClose(reason);
    }

    @Override
    public void close() {
        if (connection != null) {
            loop.close(connection);
            connection = null;
        }
        out.close();
        in.close();
    }

    private int receive(long nowNs) throws ConnectionException, ProtocolException {
        long sum = 0;
        for (int i = 0; i < MOST_RECEPTIONS && sum < MOST_BYTES && refusal == null; i++) {
            long got = in.receive(connection, this);
            if (got == 0) {
                break;
            }
            sum += got;
        }
        if (sum == 0) {
            return 0;
        }
        receivedNs = nowNs;
        return 1;
    }

    private int pump(long nowNs) throws ConnectionException {
        if (!connection.flush()) {
            return 0;
        }
        boolean due = statusDue || isStatusWorthwhile() || nowNs - sentNs >= heartbeatNs;
        long before = out.unsent();
        if (due && !sendStatus()) {
            sentNs = out.unsent() == before ? sentNs : nowNs;
            return 0;
        }
        if (out.hasUnsent()) {
            out.send(connection, MOST_BYTES, false);
        }
        connection.flush();
        if (!due && out.unsent() == before) {
            return 0;
        }
        sentNs = nowNs;
        return 1;
    }

    private boolean isStatusWorthwhile() {
        return in.received() - reportedReceived >= statusBytes
                || in.limit() - reportedLimit >= statusBytes;
    }

    /// Sends the rest of the current frame, then a status.
    ///
    /// @return false if the connection has no space
    private boolean sendStatus() throws ConnectionException {
        if (!out.isAtBoundary()
                && (!out.send(connection, Wire.MOST_PAYLOAD + Wire.HEADER_BYTES, true)
                        || !out.isAtBoundary())) {
            return false;
        }
        NativeBytes control = loop.control();
        MemorySegment to = control.segment();
        to.set(Wire.U64, Wire.HEADER_BYTES + Wire.STATUS_RECEIVED, in.received());
        to.set(Wire.U64, Wire.HEADER_BYTES + Wire.STATUS_LIMIT, in.limit());
        if (!loop.sendControl(connection, Wire.STATUS, Wire.STATUS_BYTES)) {
            return false;
        }
        statusDue = false;
        reportedReceived = in.received();
        reportedLimit = in.limit();
        return true;
    }
}
