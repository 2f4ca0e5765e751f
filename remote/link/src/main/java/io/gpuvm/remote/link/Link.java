package io.gpuvm.remote.link;

import java.lang.foreign.MemorySegment;
import java.security.cert.X509Certificate;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Link of one session between an agent and a backend: two lanes of frames in each direction, each
/// delivered in order and exactly once, even if connections break.
///
/// The loop receives and sends ([LinkLoop#doWork]); the methods of this class do not call the
/// kernel, except [#flush]. All methods are for the loop's thread. The user of a link must
/// [#close()] it, also if it has ended, because its buffers are kept until then.
public final class Link extends LinkLoop.Member {
    /// Maximum length of a frame's payload.
    public static final int MOST_PAYLOAD = Wire.MOST_PAYLOAD;

    private static final Logger LOG = LoggerFactory.getLogger(Link.class);

    /// Largest type of a frame.
    private static final int MOST_TYPE = 0xffff;

    /// Space that is kept for the frame that closes the link.
    private static final long CLOSE_BYTES = Wire.frameBytes(Texts.MOST_BYTES);

    /// Time within which a peer must acknowledge the end of a link.
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final MemorySegment NOTHING = MemorySegment.NULL;

    private final LinkLoop loop;
    private final String peerName;
    private final LinkLane[] lanes = new LinkLane[Lane.ALL.size()];

    /// Establishes the connections; null on the listener's side.
    private final Dialing dialing;

    private SessionKey key;

    /// Certificate of the dialling peer; null without TLS, and on the dialling side.
    private X509Certificate certificate;

    /// User of the dialling peer, if a credential has attested it; else [LinkHandler#NO_USER].
    private int user = LinkHandler.NO_USER;

    private byte[] answer = new byte[0];
    private long graceNs;
    private long openedNs;
    private LinkState state = LinkState.CONNECTING;
    private String reason = "";

    /// Last reason for which a connection has ended.
    private String lastBreak = "";

    /// True if the user has closed the link.
    private boolean closing;

    private String closeReason;
    private boolean closeSent;
    private long closedNs;
    private boolean peerClosed;
    private boolean done;

    /// @param peerName name of the peer, for the log
    /// @param dialing establishes the connections; null if the peer does
    /// @param key identity; [SessionKey#NONE] if the peer chooses it
    Link(LinkLoop loop, String peerName, Dialing dialing, SessionKey key, long nowNs) {
        this.loop = loop;
        this.peerName = peerName;
        this.dialing = dialing;
        this.key = key;
        openedNs = nowNs;
        graceNs = loop.options().grace().toNanos();
        try {
            for (Lane lane : Lane.ALL) {
                lanes[lane.ordinal()] = new LinkLane(this, lane, loop, nowNs);
            }
        } catch (RuntimeException | Error e) {
            dispose();
            throw e;
        }
        loop.add(this);
    }

    /// Returns the state after the last call of [LinkLoop#doWork].
    public LinkState state() {
        return state;
    }

    /// Returns the reason for which the link has ended, or for which a lane is broken; empty if
    /// there is none.
    public String reason() {
        return state.hasEnded() ? reason : lastBreak;
    }

    /// Returns the name of the peer: on the listener's side the name in the client's certificate,
    /// or in its hello if the connection has no certificate; else the address.
    public String peerName() {
        return peerName;
    }

    /// Returns the answer of the listener's user to the request for this link; empty before the
    /// link is up.
    public byte[] answer() {
        return answer.clone();
    }

    /// Returns the identifier of the link, for the log.
    public String id() {
        return key.toString();
    }

    /// Returns the maximum length of the payload of a frame that can be sent now, up to
    /// [#MOST_PAYLOAD]; 0 if none can be sent, for instance because the link has not been up yet.
    /// Frames can also be sent while the link is broken, until the buffer is full.
    public long room(Lane lane) {
        if (closing || peerClosed || state.hasEnded() || state == LinkState.CONNECTING) {
            return 0;
        }
        long room = lane(lane).out().room() - Wire.HEADER_BYTES - CLOSE_BYTES & -8L;
        return Math.clamp(room, 0, MOST_PAYLOAD);
    }

    /// Sends a frame. It leaves with the next call of [LinkLoop#doWork] or [#flush].
    ///
    /// @param type 0 to 65,535
    /// @param payload at most [#room] bytes, which are copied
    public void send(Lane lane, int type, MemorySegment payload) {
        send(lane, type, payload, 0, payload.byteSize(), NOTHING, 0, 0);
    }

    /// Sends a frame whose payload consists of two parts.
    ///
    /// @param type 0 to 65,535
    /// @param first memory of the first part
    /// @param firstOffset offset of the first part
    /// @param firstBytes length of the first part
    /// @param second memory of the second part
    /// @param secondOffset offset of the second part
    /// @param secondBytes length of the second part; both parts have at most [#room] bytes
    public void send(
            Lane lane,
            int type,
            MemorySegment first,
            long firstOffset,
            long firstBytes,
            MemorySegment second,
            long secondOffset,
            long secondBytes) {
        long bytes = firstBytes + secondBytes;
        if (type < 0 || type > MOST_TYPE || bytes > room(lane)) {
            throw new IllegalArgumentException(
                    "type=%d, limit=%d; bytes=%d, limit=%d"
                            .formatted(type, MOST_TYPE, bytes, room(lane)));
        }
        lane(lane).append(type, first, firstOffset, firstBytes, second, secondOffset, secondBytes);
    }

    /// Sends the frames of both lanes without waiting for the next call of [LinkLoop#doWork].
    public void flush(long nowNs) {
        for (LinkLane lane : lanes) {
            try {
                lane.flush(nowNs);
            } catch (ConnectionException e) {
                onBroken(lane, e, nowNs);
            }
        }
    }

    /// Returns the oldest received frame that has not been released; null if there is none. Frames
    /// that are not released withhold the peer's room. Frames remain available after the peer has
    /// closed the link.
    public LinkFrame peek(Lane lane) {
        boolean has = !done && state != LinkState.LOST && state != LinkState.CONNECTING;
        return has ? lane(lane).peek() : null;
    }

    /// Releases the frame that [#peek] has returned.
    public void release(Lane lane) {
        lane(lane).in().release();
    }

    /// Closes the link on purpose, after all frames that have been sent on the lane of calls.
    /// Frames on the lane of bulk data may be lost. Afterwards, the caller does not use the link
    /// any longer.
    public void close() {
        close("");
    }

    /// Closes the link like [#close()].
    ///
    /// @param why reason for the peer, at most 400 ASCII characters
    public void close(String why) {
        if (!closing) {
            closing = true;
            closeReason = why;
        }
    }

    @Override
    int work(long nowNs) {
        if (state.hasEnded()) {
            done |= closing;
            return 0;
        }
        int work = dialing == null ? 0 : dialing.work(this, nowNs);
        for (LinkLane lane : lanes) {
            work += work(lane, nowNs);
        }
        if (!state.hasEnded()) {
            advance(nowNs);
        }
        return work;
    }

    @Override
    long nanosUntilWork(long nowNs) {
        if (state.hasEnded()) {
            return closing ? 0 : Long.MAX_VALUE;
        }
        long nanos = dialing == null ? Long.MAX_VALUE : dialing.nanosUntilWork(this, nowNs);
        for (LinkLane lane : lanes) {
            nanos = Math.min(nanos, lane.nanosUntilWork(nowNs));
            if (state != LinkState.CONNECTING && !lane.isConnected()) {
                nanos = Math.min(nanos, lane.brokenNs() + graceNs - nowNs);
            }
        }
        if (state == LinkState.CONNECTING) {
            nanos = Math.min(nanos, openedNs + connectLimitNs() - nowNs);
        }
        if (closing) {
            nanos = closeSent ? Math.min(nanos, closedNs + CLOSE_NS - nowNs) : 0;
        }
        return nanos;
    }

    @Override
    boolean isDone() {
        return done;
    }

    @Override
    void dispose() {
        done = true;
        if (dialing != null) {
            dialing.close();
        }
        for (LinkLane lane : lanes) {
            if (lane != null) {
                lane.close();
            }
        }
    }

    LinkLane lane(Lane lane) {
        return lanes[lane.ordinal()];
    }

    SessionKey key() {
        return key;
    }

    void setCertificate(X509Certificate of) {
        certificate = of;
    }

    void setUser(int of) {
        user = of;
    }

    int user() {
        return user;
    }

    /// Returns the certificate of the dialling peer; null without TLS, and on the dialling side.
    X509Certificate certificate() {
        return certificate;
    }

    /// Called if the dialled peer has accepted a connection.
    void onWelcome(LinkLane lane, Greeting welcome) throws ProtocolException {
        if (dialing == null || lane.isOpen() || welcome.lane() != lane.lane()) {
            throw new ProtocolException("unexpected welcome of lane " + welcome.lane());
        }
        if (key == SessionKey.NONE) {
            key = welcome.key();
            answer = welcome.content();
            graceNs = Math.min(graceNs, TimeUnit.MILLISECONDS.toNanos(welcome.graceMs()));
        }
        lane.open(welcome);
        dialing.onOpen(lane.lane());
    }

    /// Called if the peer has closed the link.
    void onClose(String why) {
        peerClosed = true;
        closeReason = why;
    }

    /// Forgets an identity that the peer does not know, before the link has ever been up.
    void forgetKey(long nowNs) {
        key = SessionKey.NONE;
        for (LinkLane lane : lanes) {
            lane.detach(nowNs);
            lane.out().reset();
            lane.in().reset();
        }
    }

    /// Ends the link by an error, and tells the peer.
    void end(Refusal refusal, long nowNs) {
        for (LinkLane lane : lanes) {
            lane.dismiss(refusal, nowNs);
        }
        lose(refusal.text(), nowNs);
    }

    /// Ends the link by an error.
    void lose(String why, long nowNs) {
        finish(LinkState.LOST, why, nowNs);
        if (!closing && loop.lines().spend()) {
            LOG.warn("link {} with {} lost: {}", key, peerName, why);
        }
    }

    /// Called if a lane's connection has ended.
    void onBroken(LinkLane lane, ConnectionException e, long nowNs) {
        noteBreak(lane.lane(), e);
        lane.detach(nowNs);
        if (dialing != null) {
            dialing.onBroken(this, lane.lane(), e, nowNs);
        } else if (state == LinkState.CONNECTING) {
            // The dialling end begins again, with a new link.
            lose(lastBreak, nowNs);
        }
    }

    /// Records the reason for which a connection has ended, or could not be established.
    void noteBreak(Lane lane, ConnectionException e) {
        lastBreak = "lane %s: %s".formatted(lane, e.getMessage());
    }

    private int work(LinkLane lane, long nowNs) {
        if (state.hasEnded()) {
            return 0;
        }
        int work = 0;
        try {
            work = lane.work(nowNs);
            if (lane.refusal() != null) {
                onRefusal(lane, nowNs);
            }
        } catch (ConnectionException e) {
            onBroken(lane, e, nowNs);
            work++;
        } catch (ProtocolException e) {
            end(new Refusal(Refusal.Kind.ENDED, e.getMessage()), nowNs);
            work++;
        }
        return work;
    }

    private void onRefusal(LinkLane lane, long nowNs) {
        Refusal refusal = lane.takeRefusal();
        if (refusal.kind() == Refusal.Kind.UNKNOWN && closing) {
            finish(LinkState.CLOSED, closeReason, nowNs);
        } else if (refusal.kind() == Refusal.Kind.UNKNOWN
                && state == LinkState.CONNECTING
                && dialing != null) {
            dialing.restart(this, nowNs);
        } else {
            lose(
                    refusal.kind() == Refusal.Kind.REFUSED
                            ? "refused: " + refusal.text()
                            : refusal.text(),
                    nowNs);
        }
    }

    /// Changes the state as the lanes require.
    private void advance(long nowNs) {
        if (peerClosed && areFlushed()) {
            finish(LinkState.CLOSED, closeReason, nowNs);
            return;
        }
        if (closing && !closeSent) {
            closeSent = true;
            closedNs = nowNs;
            MemorySegment text = MemorySegment.ofArray(Texts.bytes(closeReason));
            lane(Lane.CALLS)
                    .out()
                    .append(Wire.CLOSE, (byte) 0, 0, text, 0, text.byteSize(), NOTHING, 0, 0);
        } else if (closing) {
            Outgoing calls = lane(Lane.CALLS).out();
            if (calls.acknowledged() == calls.appended() || nowNs - closedNs >= CLOSE_NS) {
                finish(LinkState.CLOSED, closeReason, nowNs);
                return;
            }
        }
        boolean up = true;
        long brokenForNs = 0;
        for (LinkLane lane : lanes) {
            up &= lane.isOpen();
            if (!lane.isOpen()) {
                brokenForNs = Math.max(brokenForNs, nowNs - lane.brokenNs());
            }
        }
        if (up) {
            state = LinkState.UP;
            lastBreak = "";
        } else if (state == LinkState.CONNECTING) {
            if (nowNs - openedNs >= connectLimitNs()) {
                lose(
                        "not connected within %d ms%s".formatted(millis(connectLimitNs()), why()),
                        nowNs);
            }
        } else if (brokenForNs >= graceNs) {
            lose("broken for %d ms%s".formatted(millis(brokenForNs), why()), nowNs);
        } else {
            state = LinkState.BROKEN;
        }
    }

    private String why() {
        return lastBreak.isEmpty() ? "" : ": " + lastBreak;
    }

    private boolean areFlushed() {
        boolean flushed = true;
        for (LinkLane lane : lanes) {
            flushed &= lane.isFlushed();
        }
        return flushed;
    }

    private void finish(LinkState end, String why, long nowNs) {
        state = end;
        reason = why;
        for (LinkLane lane : lanes) {
            lane.dismiss(null, nowNs);
        }
        if (dialing != null) {
            dialing.close();
        }
        done |= closing;
    }

    private long connectLimitNs() {
        return loop.options().connect().toNanos();
    }

    private static long millis(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
