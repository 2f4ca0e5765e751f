package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.logging.LogLimit;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports failed launches to the log and to a listener. For each channel, the log receives at most
/// [#LINES_AT_ONCE] lines at first, then one line per minute.
///
/// [#report] is for the engine thread only.
public final class KernelErrors {
    private static final Logger LOG = LoggerFactory.getLogger(KernelErrors.class);
    private static final int LINES_AT_ONCE = 20;

    private final LogLimit[] lines = new LogLimit[Pfifo.CHANNELS];
    private volatile Consumer<KernelError> listener = _ -> {};
    private volatile IntFunction<String> names = "channel %d"::formatted;

    /// @param clockNs clock with any origin, in nanoseconds
    public KernelErrors(LongSupplier clockNs) {
        Arrays.setAll(lines, _ -> LogLimit.perMinute(LINES_AT_ONCE, clockNs));
    }

    /// Sets the listener that receives each error, on the engine thread.
    public void listen(Consumer<KernelError> toTell) {
        listener = toTell;
    }

    /// Sets the function that names channels in the log, by number. The function is called on the
    /// engine thread.
    public void nameChannels(IntFunction<String> channelNames) {
        names = channelNames;
    }

    void report(KernelError error) {
        LogLimit limit = lines[error.channel()];
        if (limit.spend()) {
            long leftOut = limit.takeLeftOut();
            LOG.warn(
                    "{}: kernel: {}{}",
                    names.apply(error.channel()),
                    error.text(),
                    leftOut == 0 ? "" : "; %d messages suppressed".formatted(leftOut));
        }
        listener.accept(error);
    }
}
