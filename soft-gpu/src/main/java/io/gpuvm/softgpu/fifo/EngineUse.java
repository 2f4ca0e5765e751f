package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.fifo.EngineStatus;
import io.gpuvm.gf100.unit.fifo.FifoInterrupts;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.softgpu.engine.TimeSlice;

/// Assignment of engines to channels, and the engines that accept no work. Accessed only by the
/// holder of the [Baton].
final class EngineUse {
    private final EngineStatus engines;
    private final FifoInterrupts interrupts;
    private final TimeSlice slice;
    private final ChannelTimes times;
    private int frozenEngines;
    private boolean busyShown;

    EngineUse(FifoReports reports, TimeSlice slice, ChannelTimes times) {
        this.engines = reports.engines();
        this.interrupts = reports.interrupts();
        this.slice = slice;
        this.times = times;
    }

    /// Begins a channel's slice.
    void begin() {
        busyShown = false;
    }

    /// Sets the engines that accept no work: bit e for engine e.
    void freeze(int engineBits) {
        frozenEngines = engineBits;
    }

    /// Returns whether a channel cannot progress because its engine is frozen or hung. The status
    /// of a hung engine must name its channel until a driver has read it. For a frozen engine, a
    /// channel without an engine counts as a graphics channel.
    boolean isBlocked(Channel channel) {
        return channel.engine() == EngineId.SOFTWARE
                ? isFrozen(EngineId.GRAPH)
                : isFrozen(channel.engine()) || engines.isHung(channel.engine().number());
    }

    private boolean isFrozen(EngineId engine) {
        return (frozenEngines >>> engine.number() & 1) != 0;
    }

    /// Moves a channel to an engine.
    ///
    /// @return false if the engine accepts no work; the channel then waits for the engine
    boolean take(Channel channel, EngineId engine) {
        if (channel.engine() != engine) {
            times.charge(channel.id(), channel.engine());
            leave(channel);
            channel.moveTo(engine);
            busyShown = false;
        }
        if (!busyShown && isBlocked(channel)) {
            slice.end();
            return false;
        }
        showBusy(channel);
        return true;
    }

    /// Publishes that a channel and its engine have work, before the work starts.
    void showBusy(Channel channel) {
        if (!busyShown) {
            busyShown = true;
            if (channel.engine() != EngineId.SOFTWARE) {
                engines.busy(channel.engine().number(), channel.id());
            }
            channel.publishStatus();
        }
    }

    /// Publishes that a channel's engine has no work for the channel.
    void leave(Channel channel) {
        int engine = channel.engine().number();
        if (channel.engine() != EngineId.SOFTWARE && engines.isBusyWith(engine, channel.id())) {
            engines.idle(engine);
        }
    }

    /// Publishes that a channel's engine has stopped with unfinished work.
    void fault(Channel channel) {
        engines.fault(channel.engine().number(), channel.id());
    }

    /// Moves a channel to an engine that hangs, and reports the hang.
    ///
    /// @return whether the channel's method has ended; otherwise the channel waits for the engine
    boolean hang(Channel channel, EngineId engine) {
        if (!take(channel, engine)) {
            return false;
        }
        kill(channel);
        return true;
    }

    /// Kills a channel and reports that its engine hangs.
    void kill(Channel channel) {
        if (channel.engine() != EngineId.SOFTWARE) {
            engines.hang(channel.engine().number(), channel.id());
        }
        channel.die();
        interrupts.raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);
    }
}
