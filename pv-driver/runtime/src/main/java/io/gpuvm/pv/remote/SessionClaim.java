package io.gpuvm.pv.remote;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Claim of one session of a PCI function by a program.
///
/// A program holds the lock of byte `n` of the file of the areas while it uses session `n`. Linux
/// releases the lock when the program ends, so a session without a lock is unused: it belongs to a
/// dead program, or to none.
///
/// A program also holds a shared lock of the whole file. A program of a version without sessions
/// holds an exclusive lock of the whole file instead, and uses the first session. Each of these
/// locks excludes the other, so programs of both versions do not use the function together.
final class SessionClaim {
    /// Session that no program has claimed yet.
    private static final int NONE = -1;

    /// Number of attempts to find an unused session, and the pause between them. A program that
    /// starts at the same time briefly locks unused sessions, in order to end them.
    private static final int ATTEMPTS = 20;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private SessionClaim() {}

    /// Claims an unused session, and ends all other unused sessions, so that the backend releases
    /// the resources of dead programs.
    ///
    /// @param areas file of the areas, opened for this program alone; keeps the lock until it is
    ///   closed
    /// @param name name of the function, for errors
    /// @return number of the session, which the caller begins
    /// @throws TransportException if all sessions are in use, or if a program holds the exclusive
    ///   lock
    static int of(Descriptor areas, RegisterPages pages, String name) {
        if (!areas.tryLockFile(Descriptor.FileLock.SHARED)) {
            throw new TransportException(
                    "sessions=2, limit=1: %s is in use by a program of a version without sessions"
                            .formatted(name));
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int claimed = attempt(areas, pages);
            if (claimed != NONE) {
                return claimed;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
        throw new TransportException(
                "sessions=%d, limit=%d: %s is in use"
                        .formatted(pages.sessions() + 1, pages.sessions(), name));
    }

    /// Tries the lock of each session once.
    private static int attempt(Descriptor areas, RegisterPages pages) {
        int claimed = NONE;
        for (int session = 0; session < pages.sessions(); session++) {
            if (!areas.tryLock(session)) {
                continue;
            }
            if (claimed == NONE) {
                claimed = session;
            } else {
                end(pages, session);
                areas.unlock(session);
            }
        }
        return claimed;
    }

    private static void end(RegisterPages pages, int session) {
        SessionState state = SessionState.of(pages.read(session, FunctionRegisters.STATE));
        if (state == SessionState.OPEN || state == SessionState.PENDING) {
            pages.write(session, FunctionRegisters.CONTROL, FunctionRegisters.END);
        }
    }
}
