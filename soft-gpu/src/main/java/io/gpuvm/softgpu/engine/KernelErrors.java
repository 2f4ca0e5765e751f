package io.gpuvm.softgpu.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells humans, and a listener, why launches ended. The log takes [#LINES_AT_ONCE] lines, then one
/// a minute, however many launches go wrong.
///
/// [#report] belongs to the engine thread.
public final class KernelErrors {
    private static final Logger LOG = LoggerFactory.getLogger(KernelErrors.class);
    private static final int LINES_AT_ONCE = 20;
    private static final long LINE_NS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier clockNs;
    private volatile Consumer<KernelError> listener = _ -> {};
    private int linesLeft = LINES_AT_ONCE;
    private long lastLineNs;
    private long leftOut;

    /// @param clockNs any clock of nanoseconds
    public KernelErrors(LongSupplier clockNs) {
        this.clockNs = clockNs;
        lastLineNs = clockNs.getAsLong();
    }

    /// Who is told of each error, on the engine thread.
    public void listen(Consumer<KernelError> toTell) {
        listener = toTell;
    }

    void report(KernelError error) {
        long nowNs = clockNs.getAsLong();
        if (linesLeft < LINES_AT_ONCE && nowNs - lastLineNs >= LINE_NS) {
            linesLeft++;
            lastLineNs = nowNs;
        }
        if (linesLeft > 0) {
            linesLeft--;
            LOG.warn("{}{}", error, leftOut == 0 ? "" : "; " + leftOut + " more were not logged");
            leftOut = 0;
        } else {
            leftOut++;
        }
        listener.accept(error);
    }
}
