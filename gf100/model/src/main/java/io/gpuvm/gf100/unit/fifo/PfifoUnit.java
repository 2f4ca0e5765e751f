package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.unit.PendingRequests;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.Unit;
import java.util.Arrays;

/// Registers of PFIFO and of the PBDMAs: their values and effects. The component that runs the
/// channels implements [ChannelControl] and reports through [FifoReports].
///
/// Confined to the register thread, except for the reports.
///
/// Behaviour: nouveau `nvkm/engine/fifo/gf100.c`.
public final class PfifoUnit implements Unit {
    private final ChannelControl control;
    private final FifoReports reports;
    private final Runlist list;
    private final UserdArea userd = new UserdArea();
    private final PendingRequests preempts = new PendingRequests();
    private final PendingRequests runlists = new PendingRequests();
    private final int[] channelWords = new int[Pfifo.CHANNELS];
    private final boolean[] runnable = new boolean[Pfifo.CHANNELS];
    private int runlist;
    private int loadedRunlist;
    private int loadedEntries;
    private int preempted;
    private int frozen;
    private int channelTableError;

    /// @param memory memory of runlists
    public PfifoUnit(ChannelControl control, FifoReports reports, MemoryPort memory) {
        this.control = control;
        this.reports = reports;
        this.list = new Runlist(memory);
    }

    /// Returns the location of the channels' USERD areas.
    public UserdArea userd() {
        return userd;
    }

    /// Called when the oldest pending preemption has completed.
    public void onPreempted() {
        preempts.answer();
    }

    /// Called when the oldest pending runlist has been loaded.
    public void onRunlistLoaded() {
        runlists.answer();
        reports.runlistEvent().done();
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        declareStorage(table);
        declareInterrupts(table);
        declareScheduling(table);
        declareFaults(table);
        reports.pbdmas().declare(table, control);
    }

    /// Resets to the power-on state, including the reports. The component that runs the channels
    /// resets the channels, and must have dropped its pending requests before this call.
    @Override
    public void reset() {
        stop();
        preempts.drop();
        runlists.drop();
    }

    /// Called when PFIFO's bit of `PMC.ENABLE` changes to zero: resets registers and reports to the
    /// power-on state. Completions of earlier requests still arrive, but no register waits for
    /// them.
    public void stop() {
        reports.reset();
        Arrays.fill(channelWords, 0);
        Arrays.fill(runnable, false);
        userd.place(0);
        preempts.forget();
        runlists.forget();
        runlist = 0;
        loadedRunlist = 0;
        loadedEntries = 0;
        preempted = 0;
        frozen = 0;
        channelTableError = 0;
    }

    private static void declareStorage(RegisterTable.Builder table) {
        table.latch(Pfifo.CTRL)
                .latch(Pfifo.PBDMA_ENABLE, 0, Pfifo.PBDMA_ENABLE_UNITS)
                .latch(Pfifo.NOSNOOP_REFRESH)
                .latch(Pfifo.HIDDEN_CHANNEL)
                .latch(Pfifo.ACQUIRE_PRETEST)
                .latch(Pfifo.IDLE_FILTER)
                .latch(Pfifo.CTXSW_INTERVAL)
                .latch(Pfifo.ENGINE_RAMFC_F8)
                .latch(Pfifo.ENGINE_RAMFC_FC)
                .latch(Pfifo.FREEZE)
                .constant(Pfifo.SCHED_STATUS, 0)
                .constant(Pfifo.PBDMA_ENGINE, EngineId.SOFTWARE.number())
                .storage(
                        Pfifo.FIRST_TIMEOUT.offset(), Pfifo.LAST_TIMEOUT.offset() + Register.BYTES);
    }

    private void declareInterrupts(RegisterTable.Builder table) {
        FifoInterrupts interrupts = reports.interrupts();
        NonStallInterrupts nonStall = reports.nonStall();
        RunlistEvent runlistEvent = reports.runlistEvent();
        table.on(Pfifo.INTR, interrupts::status, interrupts::acknowledge)
                .on(Pfifo.INTR_EN, interrupts::enabled, interrupts::enable)
                .onRead(Pfifo.CHAN_TABLE_ERROR, () -> channelTableError)
                .onRead(Pfifo.SCHED_ERROR, interrupts::schedError)
                .constant(Pfifo.CHSW_ERROR, 0)
                .constant(Pfifo.INTR24_SOURCE, 0)
                .on(Pfifo.RUNLIST_EVENT, runlistEvent::pending, runlistEvent::acknowledge)
                .onRead(Pfifo.ENGINE_INTR_SOURCE, nonStall::source)
                .array(Pfifo.ENGINE_INTR, nonStall::events, nonStall::acknowledge)
                .on(Pfifo.ENGINE_INTR_ENABLE, nonStall::enabled, nonStall::enable);
    }

    private void declareScheduling(RegisterTable.Builder table) {
        EngineStatus status = reports.engines();
        table.onWrite(Pfifo.USERD_BASE, userd::place)
                .on(Pfifo.RUNLIST, () -> runlist, word -> runlist = word)
                .onWrite(Pfifo.RUNLIST_LENGTH, this::commitRunlist)
                .onRead(Pfifo.RUNLIST_LOADED, () -> loadedRunlist)
                .onRead(Pfifo.RUNLIST_LOADED_LENGTH, this::loadedLength)
                .on(Pfifo.ENGINE_FREEZE, () -> frozen, this::freeze)
                .on(Pfifo.PREEMPT, this::preemption, this::preempt)
                .array(Pfifo.ENGINE_STATUS, status::word, (_, _) -> {})
                .on(Pfifo.ENGINE_FAULT, status::faulted, status::acknowledge)
                .array(Pfifo.CHANNEL, id -> channelWords[id], this::bindChannel)
                .array(Pfifo.CHANNEL_STATE, this::channelState, this::runChannel);
    }

    private void declareFaults(RegisterTable.Builder table) {
        FaultBlocks faults = reports.faults();
        table.on(Pfifo.VM_FAULT_SOURCE, faults::pending, this::acknowledgeFaults)
                .array(Pfifo.VM_FAULT_INSTANCE, faults::instance, (_, _) -> {})
                .array(Pfifo.VM_FAULT_ADDRESS_LOW, faults::addressLow, (_, _) -> {})
                .array(Pfifo.VM_FAULT_ADDRESS_HIGH, faults::addressHigh, (_, _) -> {})
                .array(Pfifo.VM_FAULT_STATUS, faults::status, (_, _) -> {})
                .array(Pfifo.FAULT_INJECT, null, this::injectFault);
    }

    private void commitRunlist(int word) {
        MemoryTarget target = MemoryTarget.ofPointer(Pfifo.RUNLIST_TARGET.get(runlist));
        long address = Pfifo.RUNLIST_ADDRESS.bytes(Integer.toUnsignedLong(runlist));
        loadedRunlist = runlist;
        loadedEntries = Pfifo.RUNLIST_ENTRIES.get(word);
        list.read(target, address, loadedEntries);
        boolean loaded = control.commitRunlist(list.channels(), list.count());
        runlists.ask(loaded);
        if (loaded) {
            reports.runlistEvent().done();
        }
    }

    private int loadedLength() {
        return loadedEntries | Pfifo.RUNLIST_BUSY.of(runlists.isBusy() ? 1 : 0);
    }

    private void freeze(int word) {
        frozen = Pfifo.ENGINES.get(word);
        control.freeze(frozen);
    }

    private void preempt(int word) {
        preempted = Pfifo.PREEMPT_CHANNEL.get(word);
        preempts.ask(control.preempt(preempted));
    }

    private int preemption() {
        return preempted | Pfifo.PREEMPT_BUSY.of(preempts.isBusy() ? 1 : 0);
    }

    private void bindChannel(int id, int word) {
        channelWords[id] = word;
        MemoryTarget target = MemoryTarget.ofPointer(Pfifo.CHANNEL_TARGET.get(word));
        boolean valid = Pfifo.CHANNEL_VALID.isSet(word);
        if (valid && target != null) {
            long instance = Pfifo.CHANNEL_INSTANCE.bytes(Integer.toUnsignedLong(word));
            control.bind(id, target, instance);
            return;
        }
        control.unbind(id);
        if (valid) {
            channelTableError = Pfifo.CHAN_TABLE_ERROR_INVALID_TARGET;
            reports.interrupts().raise(Pfifo.INTR_CHAN_TABLE_ERROR.mask());
        }
    }

    private void runChannel(int id, int word) {
        runnable[id] = Pfifo.STATE_RUNNABLE.isSet(word);
        control.run(id, runnable[id]);
    }

    private int channelState(int id) {
        return Pfifo.STATE_RUNNABLE.with(control.status(id), runnable[id] ? 1 : 0);
    }

    /// Injects a fault if the driver sets the valid bit. The driver clears the bit after the fault.
    private void injectFault(int engine, int word) {
        if (Pfifo.FAULT_INJECT_VALID.isSet(word)) {
            control.injectFault(engine, Pfifo.FAULT_INJECT_UNIT.get(word));
        }
    }

    private void acknowledgeFaults(int units) {
        int freed = reports.faults().acknowledge(units);
        if (freed != 0) {
            control.releaseFaults(freed);
        }
    }
}
