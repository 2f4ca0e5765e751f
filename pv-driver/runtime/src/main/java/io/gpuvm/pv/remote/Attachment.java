package io.gpuvm.pv.remote;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// Steps common to all connections to a backend: the deadline of the backend's answer, the check of
/// the shared area, and the cleanup after a failure. A failed attempt leaves no resource open.
final class Attachment {
    /// Deadline for a backend's answer. The backend may have to finish the previous guest's session
    /// first.
    private static final long ANSWER_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private Attachment() {}

    /// Runs the steps that create a connection.
    ///
    /// @param abandon closes the partial connection if a step fails
    /// @throws TransportException if the backend refuses, or if a step fails
    static <C extends PvConnection> C orAbandon(Supplier<C> connect, Runnable abandon) {
        try {
            return connect.get();
        } catch (LinuxException | IllegalArgumentException e) {
            abandon.run();
            throw new TransportException("connection to the backend: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            abandon.run();
            throw e;
        }
    }

    /// Checks the shared area and creates a connection with it.
    ///
    /// @param mapping mapping of the area, closed on failure
    /// @param protocol protocol of the rings
    static <C extends PvConnection> C of(
            MappedMemory mapping,
            RingProtocol protocol,
            BiFunction<MappedMemory, SharedArea, C> connection) {
        try {
            return connection.apply(mapping, SharedArea.attach(mapping.segment(), protocol));
        } catch (RuntimeException | Error e) {
            mapping.close();
            throw e;
        }
    }

    /// Returns the time left for the backend's answer.
    ///
    /// @param sinceNs start of the wait, from [System#nanoTime()]
    /// @return time in nanoseconds, at least 1
    /// @throws TransportException if the deadline has passed
    static long leftNs(long sinceNs) {
        long leftNs = ANSWER_LIMIT_NS - (System.nanoTime() - sinceNs);
        if (leftNs <= 0) {
            throw new TransportException(
                    "no answer from the backend, limit=%d s"
                            .formatted(TimeUnit.NANOSECONDS.toSeconds(ANSWER_LIMIT_NS)));
        }
        return leftNs;
    }
}
