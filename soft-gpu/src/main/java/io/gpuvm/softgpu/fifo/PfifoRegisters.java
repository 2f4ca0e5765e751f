package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.unit.RegisterTable;
import java.util.Arrays;

/// The register rows of PFIFO and the PBDMAs: what each one reads as and does. Confined to the
/// register thread.
final class PfifoRegisters {
    private final ChannelControl control;
    private final Reports reports;
    private final int[] channelWords = new int[Pfifo.CHANNELS];
    private long userdBase;
    private long userdBytes;
    private int runlist;
    private int loadedRunlist;
    private int loadedEntries;
    private int preempted;
    private int frozen;
    private int channelTableError;

    PfifoRegisters(ChannelControl control, Reports reports) {
        this.control = control;
        this.reports = reports;
    }

    /// Where the channels' USERD areas start in BAR1.
    long userdBase() {
        return userdBase;
    }

    /// How long they are, 0 before the driver has placed them.
    long userdBytes() {
        return userdBytes;
    }

    void declare(RegisterTable.Builder table) {
        declareStorage(table);
        declareInterrupts(table);
        declareScheduling(table);
        declareFaults(table);
        declarePbdmas(table);
    }

    /// Back to power-on.
    void reset() {
        Arrays.fill(channelWords, 0);
        userdBase = 0;
        userdBytes = 0;
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
        table.onWrite(Pfifo.USERD_BASE, this::placeUserd)
                .on(Pfifo.RUNLIST, () -> runlist, word -> runlist = word)
                .onWrite(Pfifo.RUNLIST_LENGTH, this::commitRunlist)
                .onRead(Pfifo.RUNLIST_LOADED, () -> loadedRunlist)
                .onRead(Pfifo.RUNLIST_LOADED_LENGTH, () -> loadedEntries)
                .on(Pfifo.ENGINE_FREEZE, () -> frozen, this::freeze)
                .on(Pfifo.PREEMPT, () -> preempted, this::preempt)
                .array(Pfifo.ENGINE_STATUS, status::word, (_, _) -> {})
                .on(Pfifo.ENGINE_FAULT, status::faulted, status::acknowledge)
                .array(Pfifo.CHANNEL, id -> channelWords[id], this::bindChannel)
                .array(Pfifo.CHANNEL_STATE, this::channelState, this::runChannel)
                .array(
                        Pfifo.ENGINE_PBDMA_MASK,
                        reports.pbdmas()::engineMask,
                        reports.pbdmas()::serveEngine);
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

    private void declarePbdmas(RegisterTable.Builder table) {
        Pbdmas pbdmas = reports.pbdmas();
        table.on(Pfifo.PBDMA_INTR_SOURCE, pbdmas::source, _ -> {})
                .array(
                        Pbdma.METHOD,
                        i -> pbdmas.report(i).method(),
                        (i, word) -> pbdmas.report(i).method(word))
                .array(
                        Pbdma.DATA,
                        i -> pbdmas.report(i).data(),
                        (i, word) -> pbdmas.report(i).data(word))
                .array(Pbdma.INTR, i -> pbdmas.report(i).interrupts(), this::acknowledgePbdma)
                .array(
                        Pbdma.INTR_EN,
                        i -> pbdmas.report(i).enabled(),
                        (i, mask) -> pbdmas.report(i).enable(mask))
                .latch(Pbdma.INTR_HALT_MASK)
                .array(Pbdma.COMMAND, i -> pbdmas.report(i).command(), (_, _) -> {})
                .array(Pbdma.CHANNEL, i -> pbdmas.report(i).channel(), (_, _) -> {});
    }

    private void placeUserd(int word) {
        userdBase = Pfifo.USERD_BASE_ADDRESS.bytes(Integer.toUnsignedLong(word));
        boolean valid = Pfifo.USERD_BASE_VALID.isSet(word);
        userdBytes = valid ? (long) Pfifo.CHANNELS * Userd.BYTES : 0;
    }

    private void commitRunlist(int word) {
        int entries = Pfifo.RUNLIST_ENTRIES.get(word);
        MemoryTarget target = MemoryTarget.ofPointer(Pfifo.RUNLIST_TARGET.get(runlist));
        long address = Pfifo.RUNLIST_ADDRESS.bytes(Integer.toUnsignedLong(runlist));
        loadedRunlist = runlist;
        loadedEntries = entries;
        control.commitRunlist(target, address, entries);
    }

    private void freeze(int word) {
        frozen = Pfifo.ENGINES.get(word);
        control.freeze(frozen);
    }

    private void preempt(int word) {
        preempted = Pfifo.PREEMPT_CHANNEL.get(word);
        control.preempt(preempted);
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
        control.run(id, Pfifo.STATE_RUNNABLE.isSet(word));
    }

    private int channelState(int id) {
        int runnable = control.isRunnable(id) ? 1 : 0;
        return Pfifo.STATE_RUNNABLE.with(control.statusWord(id), runnable);
    }

    /// The driver waits for the valid bit and clears it itself once it has seen the fault.
    private void injectFault(int engine, int word) {
        if (Pfifo.FAULT_INJECT_VALID.isSet(word)) {
            control.injectFault(engine, Pfifo.FAULT_INJECT_UNIT.get(word));
        }
    }

    private void acknowledgeFaults(int units) {
        reports.faults().acknowledge(units);
        control.nudge();
    }

    private void acknowledgePbdma(int pbdma, int bits) {
        reports.pbdmas().report(pbdma).acknowledge(bits);
        control.nudge();
    }
}
