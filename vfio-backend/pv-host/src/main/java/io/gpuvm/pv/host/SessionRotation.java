package io.gpuvm.pv.host;

import java.util.function.IntUnaryOperator;

/// Rotation of a place's sessions in the reception's passes. A pass ends at the first session with
/// work: one step may wait for the GPU's owner, and other places' guests wait meanwhile. Confined
/// to the reception's thread.
final class SessionRotation {
    private final int sessions;

    /// Session that begins the next pass.
    private int next;

    /// @param sessions number of sessions
    SessionRotation(int sessions) {
        this.sessions = sessions;
    }

    /// Runs one pass: sessions in rotation, up to the first one with work.
    ///
    /// @param step does one step of the session with the given number, and returns the amount of
    ///   work done
    /// @return amount of work done
    int doWork(IntUnaryOperator step) {
        int work = 0;
        for (int i = 0; i < sessions && work == 0; i++) {
            int session = next;
            // A session whose step fails is the last of the next pass.
            next = (session + 1) % sessions;
            work = step.applyAsInt(session);
        }
        return work;
    }
}
