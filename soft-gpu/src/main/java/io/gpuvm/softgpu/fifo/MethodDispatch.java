package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.gf100.unit.fifo.PbdmaReport;
import io.gpuvm.gf100.unit.fifo.Pbdmas;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.MethodProgress;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;

/// Passes methods to their executor: PFIFO itself, an engine, or the driver. Accessed only by the
/// holder of the [Baton].
final class MethodDispatch {
    private final HostMethods host;
    private final Pbdmas pbdmas;
    private final EngineUse engineUse;
    private final WorkCounters counters;
    private final boolean copyEngines;

    /// Object that is accessing memory; null if PFIFO is.
    private ClassObject executing;

    MethodDispatch(FifoParts parts, FifoReports reports, EngineUse engineUse) {
        this.host = new HostMethods(reports.nonStall());
        this.pbdmas = reports.pbdmas();
        this.engineUse = engineUse;
        this.counters = parts.counters();
        this.copyEngines = parts.copyEngines();
    }

    /// Resets the dispatch at the start of a slice: no object is executing.
    void begin() {
        executing = null;
    }

    /// Returns the object whose access failed; null if PFIFO made the access.
    ClassObject executing() {
        return executing;
    }

    /// Executes the pending method of a channel's decoder.
    ///
    /// @return whether the method has ended, so that the next method may follow; otherwise the
    ///   method must be executed again
    boolean execute(Channel channel, int data) {
        int method = channel.decoder().method();
        if (method >= ChannelClass.FIRST_ENGINE_METHOD) {
            return executeOnEngine(channel, method, data);
        }
        if (method == ChannelClass.SET_OBJECT) {
            return setObject(channel, data);
        }
        int error = host.execute(channel, method, data);
        if (error != HostMethods.FINE) {
            return report(channel, error, data);
        }
        return channel.state() != RunState.ACQUIRING;
    }

    /// Resumes an operation that a method left unfinished. A failed operation remains unfinished.
    ///
    /// @return whether the operation progressed
    boolean resume(Channel channel) {
        if (!engineUse.take(channel, channel.engine())) {
            return false;
        }
        executing = channel.unfinished();
        MethodProgress progress = executing.resume();
        if (progress != MethodProgress.OCCUPIED) {
            channel.unfinished(null);
        }
        return settle(channel, progress);
    }

    /// Stops a channel at its decoder's method and reports the reason to the driver. If another
    /// channel's report is pending, the channel only stops.
    ///
    /// @param bit interrupt of [Pbdma]
    /// @return whether the reason was reported
    boolean report(Channel channel, int bit, int data) {
        CommandDecoder decoder = channel.decoder();
        int method =
                decoder.hasMethod()
                        ? PbdmaReport.methodWord(decoder.subchannel(), decoder.method())
                        : PbdmaReport.methodWord(0, 0);
        PbdmaReport report = pbdmas.reportFor(channel.engine());
        boolean free = report.isReleased();
        if (free) {
            count(bit);
            report.describe(channel.id(), decoder.header());
            report.raise(bit, method, data);
        }
        channel.waitFor(report);
        return free;
    }

    private void count(int bit) {
        boolean software = bit == Pbdma.INTR_SOFTWARE_METHOD.mask();
        counters.increment(software ? WorkCounter.SOFTWARE_METHODS : WorkCounter.PBDMA_ERRORS);
    }

    private boolean executeOnEngine(Channel channel, int method, int data) {
        int subchannel = channel.decoder().subchannel();
        EngineId engine = channel.subchannels().engine(subchannel);
        if (engine == EngineId.SOFTWARE) {
            return report(channel, Pbdma.INTR_SOFTWARE_METHOD.mask(), data);
        }
        if (!engineUse.take(channel, engine)) {
            return false;
        }
        executing = channel.subchannels().object(subchannel);
        return settle(channel, executing.method(subchannel, method, data));
    }

    private boolean setObject(Channel channel, int data) {
        return switch (EngineId.of(ChannelClass.OBJECT_ENGINE.get(data))) {
            case SOFTWARE -> bindSoftware(channel, data);
            case GRAPH -> bind(channel, EngineId.GRAPH, data);
            case COPY0 -> bindCopy(channel, EngineId.COPY0, data);
            case COPY1 -> bindCopy(channel, EngineId.COPY1, data);
            // The video engines have no program here, so a channel switch to them never completes.
            case MSPDEC -> engineUse.hang(channel, EngineId.MSPDEC);
            case MSPPP -> engineUse.hang(channel, EngineId.MSPPP);
            case MSVLD -> engineUse.hang(channel, EngineId.MSVLD);
            case null -> report(channel, Pbdma.INTR_ILLEGAL_METHOD.mask(), data);
        };
    }

    private boolean bindSoftware(Channel channel, int data) {
        channel.subchannels().bindSoftware(channel.decoder().subchannel());
        return report(channel, Pbdma.INTR_SOFTWARE_METHOD.mask(), data);
    }

    private boolean bindCopy(Channel channel, EngineId engine, int data) {
        return copyEngines
                ? bind(channel, engine, data)
                : report(channel, Pbdma.INTR_ILLEGAL_METHOD.mask(), data);
    }

    private boolean bind(Channel channel, EngineId engine, int data) {
        if (!engineUse.take(channel, engine)) {
            return false;
        }
        int subchannel = channel.decoder().subchannel();
        int classNumber = ChannelClass.OBJECT_CLASS.get(data);
        ClassObject object = channel.subchannels().objectOf(engine, classNumber, channel.parts());
        channel.subchannels().bind(subchannel, engine, object);
        executing = object;
        return settle(channel, object.bind(subchannel));
    }

    private boolean settle(Channel channel, MethodProgress progress) {
        ClassObject object = executing;
        executing = null;
        switch (progress) {
            case DONE -> {}
            case UNFINISHED -> channel.unfinished(object);
            case REFUSED, OCCUPIED -> channel.waitFor(object.trap());
            case HUNG -> {
                object.abandon();
                engineUse.kill(channel);
            }
        }
        return progress != MethodProgress.OCCUPIED;
    }
}
