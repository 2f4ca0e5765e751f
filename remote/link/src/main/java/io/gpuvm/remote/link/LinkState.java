package io.gpuvm.remote.link;

/// State of a link. A link that is closed or lost never changes its state again.
public enum LinkState {
    /// The connections are being established for the first time.
    CONNECTING,
    /// Both lanes are connected.
    UP,
    /// A lane has lost its connection, and may resume within the grace time. Frames can be sent as
    /// long as there is room.
    BROKEN,
    /// One end has closed the link on purpose.
    CLOSED,
    /// The link has ended by an error: a break that lasted longer than the grace time, a refusal,
    /// or a violation of the protocol.
    LOST;

    /// Returns whether the link has ended.
    public boolean hasEnded() {
        return this == CLOSED || this == LOST;
    }
}
