package io.gpuvm.pv.host;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.WakeLine;

/// What a guest signals when the host sleeps. Neither method ever waits.
interface HostWake {
    /// Readable when there was a signal.
    int descriptor();

    /// Takes the signals that there were.
    ///
    /// @return false if there will be none any more, and the descriptor would be readable for ever
    boolean drain();

    /// The guest has the far end of a line.
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

    /// This process signals in the guest's place: nobody else may have the descriptor, since who
    /// has it could make it wait.
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
