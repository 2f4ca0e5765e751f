package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// How long the engines have worked for each channel: the time of slices in which it came further,
/// taken when a slice ends or the channel goes to another engine. An engine that goes on where it
/// stopped was busy between the two slices as well, as long as nobody touched it meanwhile. Looking
/// in vain whether a semaphore has come is no work.
///
/// Written by whoever holds the [Baton]; asked by any thread.
public final class ChannelTimes {
    private static final int NOBODY = -1;

    private final LongSupplier clockNs;
    private final AtomicLongArray sumsNs = new AtomicLongArray(Pfifo.CHANNELS * EngineId.COUNT);
    private long sinceNs;

    /// Whose slice ended in the middle of its work; [#NOBODY] if none did.
    private int interrupted = NOBODY;

    /// @param clockNs a clock of nanoseconds that never runs backwards
    public ChannelTimes(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /// Nanoseconds since the GPU was made, whoever had the channel. Exact once the channel has been
    /// preempted or unbound; while it runs, up to a slice less.
    ///
    /// @param channel its number
    /// @param engine one that exists in hardware; what PFIFO does itself for a channel that has
    ///   used none yet counts as [EngineId#GRAPH]'s
    public long ns(int channel, EngineId engine) {
        return sumsNs.getAcquire(index(channel, engine));
    }

    /// A channel's slice begins.
    void begin(int channel) {
        if (channel != interrupted) {
            sinceNs = clockNs.getAsLong();
        }
        interrupted = NOBODY;
    }

    /// The slice ends in which a channel came further.
    ///
    /// @param goesOn whether it is in the middle of its work
    void end(int channel, EngineId engine, boolean goesOn) {
        charge(channel, engine);
        interrupted = goesOn ? channel : NOBODY;
    }

    /// Somebody has the engines held: what is between two slices is nobody's.
    void hold() {
        interrupted = NOBODY;
    }

    /// What has passed since it began, or since the last call, was one channel's.
    void charge(int channel, EngineId engine) {
        long nowNs = clockNs.getAsLong();
        int index = index(channel, engine == EngineId.SOFTWARE ? EngineId.GRAPH : engine);
        sumsNs.setRelease(index, sumsNs.getPlain(index) + nowNs - sinceNs);
        sinceNs = nowNs;
    }

    private static int index(int channel, EngineId engine) {
        return channel * EngineId.COUNT + engine.number();
    }
}
