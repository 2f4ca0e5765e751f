package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.reg.Pfifo;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells humans, and a listener, why launches ended. Of each channel the log takes [#LINES_AT_ONCE]
/// lines, then one a minute, however many launches go wrong.
///
/// [#report] belongs to the engine thread.
public final class KernelErrors {
    private static final Logger LOG = LoggerFactory.getLogger(KernelErrors.class);
    private static final int LINES_AT_ONCE = 20;
    private static final long LINE_NS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier clockNs;
    private final Budget[] budgets = new Budget[Pfifo.CHANNELS];
    private volatile Consumer<KernelError> listener = _ -> {};
    private volatile IntFunction<String> names = "channel %d"::formatted;

    /// Lines that may be logged of a channel.
    private static final class Budget {
        private int linesLeft = LINES_AT_ONCE;
        private long lastLineNs;
        private long leftOut;

        /// @return false if there is no line left
        boolean spend(long nowNs) {
            if (linesLeft == 0 && nowNs - lastLineNs < LINE_NS) {
                leftOut++;
                return false;
            }
            linesLeft = Math.max(0, linesLeft - 1);
            lastLineNs = nowNs;
            return true;
        }

        /// How many lines were not logged since the last one.
        long takeLeftOut() {
            long count = leftOut;
            leftOut = 0;
            return count;
        }
    }

    /// @param clockNs any clock of nanoseconds
    public KernelErrors(LongSupplier clockNs) {
        this.clockNs = clockNs;
        Arrays.setAll(budgets, _ -> new Budget());
    }

    /// Who is told of each error, on the engine thread.
    public void listen(Consumer<KernelError> toTell) {
        listener = toTell;
    }

    /// What the log calls a channel, by its number. Asked on the engine thread.
    public void nameChannels(IntFunction<String> channelNames) {
        names = channelNames;
    }

    void report(KernelError error) {
        Budget budget = budgets[error.channel()];
        if (budget.spend(clockNs.getAsLong())) {
            long leftOut = budget.takeLeftOut();
            LOG.warn(
                    "{}: kernel: {}{}",
                    names.apply(error.channel()),
                    error.text(),
                    leftOut == 0 ? "" : "; %d more were not logged".formatted(leftOut));
        }
        listener.accept(error);
    }
}
