package io.gpuvm.pv.host;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.WakeLine;

/// Line that a guest signals while the host sleeps. Its methods do not block.
interface HostWake {
    /// Returns a descriptor that is readable after a signal.
    int descriptor();

    /// Clears pending signals.
    ///
    /// @return false if no signal can follow, in which case the descriptor would stay readable
    boolean drain();

    /// Returns the host's end of a line whose other end belongs to the guest.
    static HostWake of(WakeLine line) {
        return new HostWake() {
            @Override
            public int descriptor() {
                return line.descriptor();
            }

            @Override
            public boolean drain() {
                return line.drain();
            }
        };
    }

    /// Returns a line over an event descriptor that this process signals on behalf of the guest. No
    /// other process may have the descriptor, since that process could make the host block.
    static HostWake of(EventFd event) {
        return new HostWake() {
            @Override
            public int descriptor() {
                return event.descriptor();
            }

            @Override
            public boolean drain() {
                event.drain();
                return true;
            }
        };
    }
}
