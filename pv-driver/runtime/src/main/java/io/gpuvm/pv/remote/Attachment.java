package io.gpuvm.pv.remote;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.TransportException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/// What every way to a backend does alike when it connects: how long it waits, and how the shared
/// area is mapped and checked, so that nothing is left of an attempt that fails.
final class Attachment {
    /// How long a backend may take to answer. It may have to take a guest before this one down.
    private static final long ANSWER_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private Attachment() {}

    /// Runs what makes a connection.
    ///
    /// @param abandon closes what there is of it, if that fails
    /// @throws TransportException if the backend refuses, or its memory cannot be used
    static <C extends PvConnection> C orAbandon(Supplier<C> connect, Runnable abandon) {
        try {
            return connect.get();
        } catch (LinuxException | IllegalArgumentException e) {
            abandon.run();
            throw new TransportException("the backend's memory: " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            abandon.run();
            throw e;
        }
    }

    /// Checks the shared area, and makes a connection of it.
    ///
    /// @param mapping is closed if that fails
    static <C extends PvConnection> C of(
            MappedMemory mapping, BiFunction<MappedMemory, SharedArea, C> connection) {
        try {
            return connection.apply(mapping, SharedArea.attach(mapping.segment()));
        } catch (RuntimeException | Error e) {
            mapping.close();
            throw e;
        }
    }

    /// How long an answer may still be waited for.
    ///
    /// @param sinceNs when waiting began, of [System#nanoTime()]
    /// @return at least 1, in nanoseconds
    /// @throws TransportException if it has not come in time
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
