package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.unit.Hold;
import io.gpuvm.gf100.unit.fifo.FaultBlocks;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.TimeSlice;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Runs one channel for one slice: fetches ring entries and push-buffer words, dispatches methods,
/// and reports faults as the hardware does.
///
/// A channel may stop at any point when its slice ends, and resumes there in its next slice.
/// Accessed only by the holder of the [Baton].
final class ChannelRunner {
    /// Time-slice cost of a method, a command or a ring entry, in bytes.
    private static final int STEP_COST_BYTES = 256;

    private final TimeSlice slice;
    private final WorkCounters counters;
    private final FaultBlocks faults;
    private final EngineUse engineUse;
    private final MethodDispatch dispatch;

    private int methods;
    private int entries;

    ChannelRunner(FifoParts parts, TimeSlice slice, FifoReports reports, EngineUse engineUse) {
        this.slice = slice;
        this.counters = parts.counters();
        this.faults = reports.faults();
        this.engineUse = engineUse;
        this.dispatch = new MethodDispatch(parts, reports, engineUse);
    }

    /// Runs a channel until it has no work, must wait, or its slice ends.
    ///
    /// @return number of steps of progress
    int run(Channel channel) {
        slice.begin();
        engineUse.begin();
        dispatch.begin();
        methods = 0;
        entries = 0;
        int steps = 0;
        try {
            channel.refresh();
            channel.ready();
            steps = load(channel) ? 0 : 1;
            while (channel.state() == RunState.READY && !slice.isOver()) {
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

    /// @return false if loading failed with an error
    private boolean load(Channel channel) {
        if (channel.isLoaded()) {
            return true;
        }
        if (channel.isDeaf()) {
            channel.rest();
            return true;
        }
        int error = channel.load();
        if (error != 0) {
            channel.deaf(dispatch.report(channel, error, 0));
        }
        return error == 0;
    }

    private boolean step(Channel channel) {
        if (channel.unfinished() != null) {
            return dispatch.resume(channel);
        }
        if (channel.decoder().hasMethod()) {
            return stepMethod(channel);
        }
        return channel.segment().hasWord() ? stepCommand(channel) : stepRing(channel);
    }

    private boolean stepMethod(Channel channel) {
        CommandDecoder decoder = channel.decoder();
        boolean immediate = decoder.isImmediate();
        if (!immediate && !channel.segment().hasWord()) {
            return stepRing(channel);
        }
        int data = immediate ? decoder.immediateData() : channel.segment().peek(channel.memory());
        if (decoder.isSelected() && !dispatch.execute(channel, data)) {
            return false;
        }
        if (!immediate) {
            channel.segment().advance();
        }
        decoder.advance();
        methods++;
        slice.spend(STEP_COST_BYTES);
        return true;
    }

    /// Decodes a command; an illegal word is consumed only if it could be reported.
    private boolean stepCommand(Channel channel) {
        int word = channel.segment().peek(channel.memory());
        CommandDecoder.Command command = channel.decoder().decode(word);
        if (command == CommandDecoder.Command.ILLEGAL
                && !dispatch.report(channel, Pbdma.INTR_ILLEGAL_COMMAND.mask(), word)) {
            return false;
        }
        channel.segment().advance();
        if (command == CommandDecoder.Command.END_OF_SEGMENT) {
            channel.segment().end();
        }
        slice.spend(STEP_COST_BYTES);
        return true;
    }

    private boolean stepRing(Channel channel) {
        Ring ring = channel.ring();
        if (!ring.hasEntry() && !channel.isDeaf() && !ring.readPut()) {
            channel.deaf(dispatch.report(channel, Pbdma.INTR_IB_PUT_OVERFLOW.mask(), 0));
            return true;
        }
        if (!ring.hasEntry()) {
            channel.rest();
            return false;
        }
        engineUse.showBusy(channel);
        ring.tellPosition(channel.segment().gpuVa(), channel.segment().isMain());
        long entry = ring.peek(channel.memory());
        if (!channel.segment().open(entry)
                && !dispatch.report(channel, Pbdma.INTR_IB_ENTRY_INVALID.mask(), (int) entry)) {
            return false;
        }
        ring.advance();
        entries++;
        slice.spend(STEP_COST_BYTES);
        return true;
    }

    private void finish(Channel channel) {
        counters.add(WorkCounter.METHODS, methods);
        counters.add(WorkCounter.GPFIFO_ENTRIES, entries);
        // A reader that first finds all entries consumed and then finds no engine busy must also be
        // able to read whether the channel waits.
        channel.publishStatus();
        if (channel.state() != RunState.DEAD) {
            if (methods + entries > 0) {
                tellPosition(channel);
            }
            if (!channel.occupiesEngine()) {
                engineUse.leave(channel);
            }
        }
    }

    private static void tellPosition(Channel channel) {
        try {
            channel.ring().tellPosition(channel.segment().gpuVa(), channel.segment().isMain());
        } catch (InternalError cutOff) {
            channel.space().mmu().memory().countLostAccess();
        }
    }

    /// Reports a fault and kills the channel. While another report is pending, the channel waits;
    /// afterwards it retries the access.
    private void onFault(Channel channel, MmuFault fault) {
        ClassObject object = dispatch.executing();
        FaultUnit unit = object == null ? FaultUnit.PFIFO : object.faultUnit();
        int status =
                object == null
                        ? FaultStatus.ofHub(fault.reason(), FaultClient.PFIFO, fault.isWrite())
                        : object.faultStatus(fault);
        Hold block = faults.block(unit.number());
        if (!block.isReleased()) {
            channel.waitFor(block);
            return;
        }
        if (object == null) {
            engineUse.leave(channel);
        } else {
            object.abandon();
            engineUse.fault(channel);
        }
        channel.die();
        faults.report(unit.number(), channel.instanceAddress(), fault.gpuVa(), status);
    }

    /// Handles an access to truncated host memory that the accessing code has not handled. The
    /// method counts as executed.
    private void onCutOffMemory(Channel channel) {
        channel.space().mmu().memory().countLostAccess();
        if (dispatch.executing() != null) {
            dispatch.executing().abandon();
        }
        if (channel.unfinished() != null) {
            channel.unfinished(null);
            return;
        }
        if (channel.decoder().hasMethod()) {
            if (!channel.decoder().isImmediate() && channel.segment().hasWord()) {
                channel.segment().advance();
            }
            channel.decoder().advance();
        } else if (!channel.segment().hasWord()) {
            channel.rest();
        }
    }
}
