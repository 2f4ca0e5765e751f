package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/// Engine time of each channel: the duration of slices with progress, charged when a slice ends or
/// when the channel moves to another engine. The time between two slices is also charged if the
/// second directly resumes the work of the first, unless the engines were held between them. Failed
/// polls of a semaphore are not charged.
///
/// Written by the holder of the [Baton]; any thread may read.
public final class ChannelTimes {
    private static final int NOBODY = -1;

    private final LongSupplier clockNs;
    private final AtomicLongArray sumsNs = new AtomicLongArray(Pfifo.CHANNELS * EngineId.COUNT);
    private long sinceNs;

    /// Channel whose slice ended with unfinished work; [#NOBODY] if there is none.
    private int interrupted = NOBODY;

    /// @param clockNs monotonic clock, in nanoseconds
    public ChannelTimes(LongSupplier clockNs) {
        this.clockNs = clockNs;
    }

    /// Returns the engine time of a channel since the GPU's construction, in nanoseconds, summed
    /// over all users of the channel number. The time is exact once the channel has been preempted
    /// or unbound; while the channel runs, the time may lag by one slice.
    ///
    /// @param channel number of the channel
    /// @param engine engine that exists in hardware; PFIFO's own work for a channel that has used
    ///   no engine yet counts as [EngineId#GRAPH]'s
    public long ns(int channel, EngineId engine) {
        return sumsNs.getAcquire(index(channel, engine));
    }

    /// Returns the engine time of all channels since the GPU's construction, in nanoseconds. The
    /// time is exact while the engine has no work; while the engine works, the time may lag by one
    /// slice.
    ///
    /// @param engine engine that exists in hardware
    public long ns(EngineId engine) {
        long ns = 0;
        for (int channel = 0; channel < Pfifo.CHANNELS; channel++) {
            ns += ns(channel, engine);
        }
        return ns;
    }

    /// Begins a channel's slice.
    void begin(int channel) {
        if (channel != interrupted) {
            sinceNs = clockNs.getAsLong();
        }
        interrupted = NOBODY;
    }

    /// Ends a slice with progress.
    ///
    /// @param goesOn whether the channel has unfinished work
    void end(int channel, EngineId engine, boolean goesOn) {
        charge(channel, engine);
        interrupted = goesOn ? channel : NOBODY;
    }

    /// Called when the engines are held; the time until the next slice is not charged.
    void hold() {
        interrupted = NOBODY;
    }

    /// Charges the time since the slice began, or since the last call, to one channel.
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
