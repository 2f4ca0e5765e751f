package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.softgpu.sm.Position;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reports failed launches to the log and to a listener, and keeps the position of each channel's
/// last one until a driver asks for it or the channel is unbound. For each channel, the log
/// receives at most [#LINES_AT_ONCE] lines at first, then one line per minute.
///
/// [#report] is for the engine thread only.
public final class KernelErrors {
    private static final Logger LOG = LoggerFactory.getLogger(KernelErrors.class);
    private static final int LINES_AT_ONCE = 20;

    private final LogLimit[] lines = new LogLimit[Pfifo.CHANNELS];

    /// Positions that no driver has asked for, by channel.
    private final AtomicReferenceArray<KernelPosition> positions =
            new AtomicReferenceArray<>(Pfifo.CHANNELS);

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

    /// Returns and forgets the position of a channel's last failed launch; null if there is none.
    /// Any thread.
    public KernelPosition take(int channel) {
        return positions.getAndSet(channel, null);
    }

    /// Forgets the position of a channel's last failed launch. Any thread.
    public void forget(int channel) {
        positions.set(channel, null);
    }

    void report(KernelError error) {
        Position position = error.position();
        positions.set(error.channel(), position == null ? null : position.in(error.code()));
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
