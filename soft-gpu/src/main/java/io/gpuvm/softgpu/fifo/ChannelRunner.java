package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.Progress;
import io.gpuvm.softgpu.engine.Slice;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Runs one channel for one slice: fetches ring entries and push buffer words, hands methods to the
/// host or to an engine, and reports what goes wrong the way the hardware does.
///
/// A channel stops in the middle of anything when the slice is over and goes on there when its turn
/// comes again. Belongs to whoever holds the [Baton].
final class ChannelRunner {
    /// What a method costs, in bytes copied.
    private static final int METHOD_COST_BYTES = 256;

    private final Slice slice;
    private final WorkCounters counters;
    private final HostMethods host;
    private final FaultBlocks faults;
    private final Pbdmas pbdmas;
    private final FifoInterrupts interrupts;
    private final EngineStatus engines;
    private final boolean copyEngines;

    private int frozenEngines;

    /// The object that accesses memory now, null if PFIFO does.
    private ClassObject executing;

    private boolean busyShown;
    private int methods;
    private int entries;

    ChannelRunner(PfifoParts parts, Slice slice, Reports reports) {
        this.slice = slice;
        this.counters = parts.counters();
        this.host = new HostMethods(reports.nonStall());
        this.faults = reports.faults();
        this.pbdmas = reports.pbdmas();
        this.interrupts = reports.interrupts();
        this.engines = reports.engines();
        this.copyEngines = parts.copyEngines();
    }

    /// Bit e: engine e takes no work.
    void freeze(int engineBits) {
        frozenEngines = engineBits;
    }

    /// Whether a channel's turn would be in vain because its engine is frozen. A channel without
    /// engine counts as one of graphics.
    boolean isFrozen(Channel channel) {
        int engine = channel.engine == EngineId.SOFTWARE ? 0 : channel.engine.number();
        return (frozenEngines >>> engine & 1) != 0;
    }

    /// Runs a channel until it has nothing to do, has to wait, or its slice is over.
    ///
    /// @return number of steps that it came further
    int run(Channel channel) {
        slice.begin();
        executing = null;
        busyShown = false;
        methods = 0;
        entries = 0;
        int steps = 0;
        try {
            channel.refresh();
            channel.state = Channel.State.READY;
            channel.hold = null;
            steps = load(channel) ? 0 : 1;
            while (channel.state == Channel.State.READY && !slice.isOver()) {
                steps += step(channel) ? 1 : 0;
            }
        } catch (MmuFault fault) {
            steps++;
            onFault(channel, fault);
        } catch (InternalError cutOff) {
            steps++;
            onCutOffMemory(channel);
        }
        finish(channel);
        return steps;
    }

    /// Kills a channel that holds up the register thread, and says that its engine hangs.
    void killHanging(Channel channel) {
        if (channel.engine != EngineId.SOFTWARE) {
            engines.hang(channel.engine.number(), channel.id);
        }
        channel.die();
        interrupts.raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);
    }

    private boolean load(Channel channel) {
        if (channel.isLoaded()) {
            return true;
        }
        if (channel.deaf) {
            channel.state = Channel.State.IDLE;
            return true;
        }
        boolean loaded = channel.load();
        if (!loaded) {
            channel.deaf = report(channel, Pbdma.INTR_SIGNATURE_MISMATCH.mask(), 0, 0, 0);
        } else if (!channel.ring.isValid()) {
            channel.deaf = report(channel, Pbdma.INTR_IB_ENTRY_INVALID.mask(), 0, 0, 0);
        }
        return loaded;
    }

    private boolean step(Channel channel) {
        if (channel.unfinished != null) {
            return resume(channel);
        }
        if (channel.decoder.hasMethod()) {
            return stepMethod(channel);
        }
        return channel.segment.hasWord() ? stepCommand(channel) : stepRing(channel);
    }

    private boolean stepMethod(Channel channel) {
        CommandDecoder decoder = channel.decoder;
        boolean immediate = decoder.isImmediate();
        if (!immediate && !channel.segment.hasWord()) {
            return stepRing(channel);
        }
        int data = immediate ? decoder.immediateData() : channel.segment.peek(channel.memory);
        if (decoder.isSelected() && !execute(channel, data)) {
            return false;
        }
        if (!immediate) {
            channel.segment.advance();
        }
        decoder.advance();
        methods++;
        slice.spend(METHOD_COST_BYTES);
        return true;
    }

    private boolean stepCommand(Channel channel) {
        int word = channel.segment.peek(channel.memory);
        channel.segment.advance();
        slice.spend(METHOD_COST_BYTES);
        switch (channel.decoder.decode(word)) {
            case METHODS, NOTHING -> {}
            case END_OF_SEGMENT -> channel.segment.end();
            case ILLEGAL -> report(channel, Pbdma.INTR_ILLEGAL_COMMAND.mask(), 0, 0, word);
        }
        return true;
    }

    private boolean stepRing(Channel channel) {
        Ring ring = channel.ring;
        if (!ring.hasEntry() && !channel.deaf && !ring.readPut()) {
            channel.deaf = report(channel, Pbdma.INTR_IB_PUT_OVERFLOW.mask(), 0, 0, 0);
            return true;
        }
        if (!ring.hasEntry()) {
            channel.state = Channel.State.IDLE;
            return false;
        }
        showBusy(channel);
        ring.tellPosition(channel.segment.gpuVa(), channel.segment.isMain());
        long entry = ring.take(channel.memory);
        entries++;
        slice.spend(METHOD_COST_BYTES);
        if (!channel.segment.open(entry)) {
            report(channel, Pbdma.INTR_IB_ENTRY_INVALID.mask(), 0, 0, (int) entry);
        }
        return true;
    }

    /// @return whether the method is over, so that the next one may follow
    private boolean execute(Channel channel, int data) {
        int method = channel.decoder.method();
        int subchannel = channel.decoder.subchannel();
        if (method >= ChannelClass.FIRST_ENGINE_METHOD) {
            return executeOnEngine(channel, subchannel, method, data);
        }
        if (method == ChannelClass.SET_OBJECT) {
            return setObject(channel, subchannel, data);
        }
        int error = host.execute(channel, method, data);
        if (error != HostMethods.FINE) {
            return report(channel, error, subchannel, method, data);
        }
        return channel.state != Channel.State.ACQUIRING;
    }

    private boolean executeOnEngine(Channel channel, int subchannel, int method, int data) {
        EngineId engine = channel.subchannels.engine(subchannel);
        if (engine == EngineId.SOFTWARE) {
            return callSoftware(channel, subchannel, method, data);
        }
        if (!take(channel, engine)) {
            return false;
        }
        executing = channel.subchannels.object(subchannel);
        return settle(channel, executing.method(subchannel, method, data));
    }

    private boolean setObject(Channel channel, int subchannel, int data) {
        return switch (EngineId.of(ChannelClass.OBJECT_ENGINE.get(data))) {
            case SOFTWARE -> {
                channel.subchannels.bindSoftware(subchannel);
                yield callSoftware(channel, subchannel, ChannelClass.SET_OBJECT, data);
            }
            case GRAPH -> bind(channel, subchannel, EngineId.GRAPH, data);
            case COPY0 -> bindCopy(channel, subchannel, EngineId.COPY0, data);
            case COPY1 -> bindCopy(channel, subchannel, EngineId.COPY1, data);
            case MSPDEC -> hang(channel, EngineId.MSPDEC);
            case MSPPP -> hang(channel, EngineId.MSPPP);
            case MSVLD -> hang(channel, EngineId.MSVLD);
            case null -> noSuchEngine(channel, subchannel, data);
        };
    }

    private boolean bindCopy(Channel channel, int subchannel, EngineId engine, int data) {
        return copyEngines
                ? bind(channel, subchannel, engine, data)
                : noSuchEngine(channel, subchannel, data);
    }

    private boolean noSuchEngine(Channel channel, int subchannel, int data) {
        int bit = Pbdma.INTR_ILLEGAL_METHOD.mask();
        return report(channel, bit, subchannel, ChannelClass.SET_OBJECT, data);
    }

    private boolean bind(Channel channel, int subchannel, EngineId engine, int data) {
        if (!take(channel, engine)) {
            return false;
        }
        int classNumber = ChannelClass.OBJECT_CLASS.get(data);
        ClassObject object = channel.subchannels.objectOf(engine, classNumber, channel.parts);
        channel.subchannels.bind(subchannel, engine, object);
        executing = object;
        return settle(channel, object.bind(subchannel));
    }

    /// The video engines have no program here, so they never answer a channel switch.
    private boolean hang(Channel channel, EngineId engine) {
        take(channel, engine);
        killHanging(channel);
        return true;
    }

    private boolean resume(Channel channel) {
        EngineId engine = channel.engine;
        if (!take(channel, engine)) {
            return false;
        }
        executing = channel.unfinished;
        channel.unfinished = null;
        return settle(channel, executing.resume());
    }

    private boolean settle(Channel channel, Progress progress) {
        ClassObject object = executing;
        executing = null;
        switch (progress) {
            case DONE -> {}
            case UNFINISHED -> channel.unfinished = object;
            case REFUSED, OCCUPIED -> channel.waitFor(object.trap());
        }
        return progress != Progress.OCCUPIED;
    }

    private boolean callSoftware(Channel channel, int subchannel, int method, int data) {
        boolean reported =
                report(channel, Pbdma.INTR_SOFTWARE_METHOD.mask(), subchannel, method, data);
        if (reported) {
            counters.increment(WorkCounter.SOFTWARE_METHODS);
        }
        return reported;
    }

    /// Stops at a method and tells the driver why, unless another channel's report is in the way;
    /// then the channel only stops.
    ///
    /// @return whether it was reported
    private boolean report(Channel channel, int bit, int subchannel, int method, int data) {
        PbdmaReport report = pbdmas.reportFor(channel.engine);
        boolean free = report.isReleased();
        if (free) {
            if (bit != Pbdma.INTR_SOFTWARE_METHOD.mask()) {
                counters.increment(WorkCounter.PBDMA_ERRORS);
            }
            int header = channel.decoder.header();
            report.raise(bit, channel.id, subchannel, method, data, header);
        }
        channel.waitFor(report);
        return free;
    }

    /// Moves a channel to an engine.
    ///
    /// @return false if the engine takes no work; the channel then waits for it
    private boolean take(Channel channel, EngineId engine) {
        if (channel.engine != engine) {
            leaveEngine(channel);
            channel.engine = engine;
            busyShown = false;
        }
        if (frozenEngines != 0 && isFrozen(channel)) {
            slice.end();
            return false;
        }
        showBusy(channel);
        return true;
    }

    private void showBusy(Channel channel) {
        if (!busyShown) {
            busyShown = true;
            if (channel.engine != EngineId.SOFTWARE) {
                engines.busy(channel.engine.number(), channel.id);
            }
            channel.publishStatus();
        }
    }

    private void leaveEngine(Channel channel) {
        int engine = channel.engine.number();
        if (channel.engine != EngineId.SOFTWARE && engines.isBusyWith(engine, channel.id)) {
            engines.idle(engine);
        }
    }

    private void finish(Channel channel) {
        if (methods > 0) {
            counters.add(WorkCounter.METHODS, methods);
        }
        if (entries > 0) {
            counters.add(WorkCounter.GPFIFO_ENTRIES, entries);
        }
        if (channel.state != Channel.State.DEAD) {
            if (methods > 0 || entries > 0) {
                tellPosition(channel);
            }
            boolean engineWaits = channel.unfinished != null || channel.hold != null;
            if (channel.state != Channel.State.READY && !engineWaits) {
                leaveEngine(channel);
            }
        }
        channel.publishStatus();
    }

    private void tellPosition(Channel channel) {
        try {
            channel.ring.tellPosition(channel.segment.gpuVa(), channel.segment.isMain());
        } catch (InternalError cutOff) {
            channel.space.mmu().memory().countLostAccess();
        }
    }

    private void onFault(Channel channel, MmuFault fault) {
        FaultUnit unit = executing == null ? FaultUnit.PFIFO : executing.faultUnit();
        FaultClient client = executing == null ? FaultClient.PFIFO : executing.faultClient();
        if (executing != null) {
            executing.abandon();
            engines.fault(channel.engine.number(), channel.id);
        }
        channel.die();
        faults.report(
                unit.number(),
                channel.instanceAddress(),
                fault.gpuVa(),
                FaultStatus.ofHub(fault.reason(), client, fault.isWrite()));
    }

    /// The owner of host memory has cut off what was accessed. Accessors deal with it where they
    /// can; what arrives here came too late for them. The method is taken as executed.
    private void onCutOffMemory(Channel channel) {
        channel.space.mmu().memory().countLostAccess();
        if (executing != null) {
            executing.abandon();
        }
        if (channel.decoder.hasMethod()) {
            if (!channel.decoder.isImmediate() && channel.segment.hasWord()) {
                channel.segment.advance();
            }
            channel.decoder.advance();
        } else if (!channel.segment.hasWord()) {
            channel.state = Channel.State.IDLE;
        }
    }
}
