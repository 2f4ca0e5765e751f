package io.gpuvm.pv.host;

import java.util.BitSet;

/// Numbers of a virtual machine's channels, and their division among its sessions.
///
/// Half of the channels are kept for sessions that hold fewer than their part: an equal part of
/// this half, at least one channel. A session below its part may take any free channel. Another
/// session may take a channel if more channels are free than sessions lack to their parts, or than
/// half of all channels. Confined to the poller.
final class ChannelShares {
    /// Result of [#take] if the session may take no channel.
    static final int NONE = -1;

    private final int channels;
    private final int sessions;

    /// Number of channels up to which a session may take any free channel.
    private final int part;

    private final BitSet taken;

    /// Number of channels of each session.
    private final int[] held;

    /// Sum of the channels that sessions lack to their parts.
    private int lacking;

    private int free;

    /// @param channels number of channels of the virtual machine
    /// @param sessions maximum number of its sessions
    ChannelShares(int channels, int sessions) {
        this.channels = channels;
        this.sessions = sessions;
        part = Math.max(1, kept() / sessions);
        taken = new BitSet(channels);
        held = new int[sessions];
        lacking = sessions * part;
        free = channels;
    }

    /// Returns the maximum number of channels that one session can hold.
    int mostOfOne() {
        return channels - Math.min(kept(), (sessions - 1) * part);
    }

    /// Takes a channel.
    ///
    /// @param session number of the session
    /// @return number of the channel in the virtual machine, or [#NONE]
    int take(int session) {
        if (!mayTake(session)) {
            return NONE;
        }
        int lack = lack(session);
        int number = taken.nextClearBit(0);
        taken.set(number);
        free--;
        held[session]++;
        lacking += lack(session) - lack;
        return number;
    }

    /// Returns whether a session may take a channel.
    boolean mayTake(int session) {
        int reserved = lack(session) > 0 ? 0 : Math.min(kept(), lacking);
        return free > reserved;
    }

    /// Returns a channel that [#take] has returned.
    void giveBack(int session, int number) {
        int lack = lack(session);
        taken.clear(number);
        free++;
        held[session]--;
        lacking += lack(session) - lack;
    }

    /// Returns the maximum number of channels that are kept for sessions below their parts.
    private int kept() {
        return channels / 2;
    }

    private int lack(int session) {
        return Math.max(0, part - held[session]);
    }
}
