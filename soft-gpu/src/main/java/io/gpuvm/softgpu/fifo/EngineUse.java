package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.fifo.EngineStatus;
import io.gpuvm.gf100.unit.fifo.FifoInterrupts;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.softgpu.engine.TimeSlice;

/// Which channel uses which engine, and which engines take no work. Belongs to whoever holds the
/// [Baton].
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

    /// Another channel's slice begins.
    void begin() {
        busyShown = false;
    }

    /// Bit e: engine e takes no work.
    void freeze(int engineBits) {
        frozenEngines = engineBits;
    }

    /// Whether a channel's turn would be in vain because its engine is frozen. A channel without
    /// engine counts as one of graphics.
    boolean isFrozen(Channel channel) {
        int engine = channel.engine() == EngineId.SOFTWARE ? 0 : channel.engine().number();
        return (frozenEngines >>> engine & 1) != 0;
    }

    /// Moves a channel to an engine.
    ///
    /// @return false if the engine takes no work; the channel then waits for it
    boolean take(Channel channel, EngineId engine) {
        if (channel.engine() != engine) {
            times.charge(channel.id(), channel.engine());
            leave(channel);
            channel.moveTo(engine);
            busyShown = false;
        }
        if (frozenEngines != 0 && isFrozen(channel)) {
            slice.end();
            return false;
        }
        showBusy(channel);
        return true;
    }

    /// Shows that a channel and its engine have work, before any of it is done.
    void showBusy(Channel channel) {
        if (!busyShown) {
            busyShown = true;
            if (channel.engine() != EngineId.SOFTWARE) {
                engines.busy(channel.engine().number(), channel.id());
            }
            channel.publishStatus();
        }
    }

    /// Shows that a channel's engine has nothing to do for it.
    void leave(Channel channel) {
        int engine = channel.engine().number();
        if (channel.engine() != EngineId.SOFTWARE && engines.isBusyWith(engine, channel.id())) {
            engines.idle(engine);
        }
    }

    /// Shows that a channel's engine has stopped in the middle of its work.
    void fault(Channel channel) {
        engines.fault(channel.engine().number(), channel.id());
    }

    /// Moves a channel to an engine that never lets go of it, and reports that.
    ///
    /// @return true: the channel's method is over
    boolean hang(Channel channel, EngineId engine) {
        take(channel, engine);
        kill(channel);
        return true;
    }

    /// Kills a channel and says that its engine hangs.
    void kill(Channel channel) {
        if (channel.engine() != EngineId.SOFTWARE) {
            engines.hang(channel.engine().number(), channel.id());
        }
        channel.die();
        interrupts.raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);
    }
}
