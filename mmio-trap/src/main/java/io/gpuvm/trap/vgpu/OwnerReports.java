package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.PffbUnit;
import io.gpuvm.gf100.unit.fifo.FifoReports;
import io.gpuvm.gf100.unit.fifo.PfifoUnit;
import io.gpuvm.port.CompletionInbox;

/// Handler of the reports from the GPU's owner to one virtual machine; shows them in the guest's
/// registers and interrupts. Confined to the virtual machine's thread.
final class OwnerReports implements CompletionInbox.Handler {
    private final FifoReports reports;
    private final VirtualChannels channels;
    private final FaultQueue faults;
    private final EngineTraps traps;
    private final PfifoUnit pfifo;
    private final PffbUnit pffb;
    private final ShadowFlushes flushes;

    /// @param pffb unit that is informed of the end of a flush for which the guest waits
    OwnerReports(
            FifoReports reports,
            VirtualChannels channels,
            FaultQueue faults,
            EngineTraps traps,
            PfifoUnit pfifo,
            PffbUnit pffb,
            ShadowFlushes flushes) {
        this.reports = reports;
        this.channels = channels;
        this.faults = faults;
        this.traps = traps;
        this.pfifo = pfifo;
        this.pffb = pffb;
        this.flushes = flushes;
    }

    @Override
    public void onFlushed() {
        if (flushes.onFlushed()) {
            pffb.onFlushed();
        }
    }

    @Override
    public void onPreempted(int channel) {
        reports.engines().forget(channel);
        if (channels.onPreempted()) {
            pfifo.onPreempted();
        }
    }

    @Override
    public void onRunlistLoaded() {
        pfifo.onRunlistLoaded();
    }

    @Override
    public void onNonStall(int engine) {
        reports.nonStall().raise(engine);
    }

    @Override
    public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
        // A released channel may report a fault late; its number may already belong to another
        // channel.
        if (channel == CompletionInbox.NO_CHANNEL || channels.isPresent(channel)) {
            faults.report(unit, channel, instanceOf(channel), gpuVa, statusWord);
        }
    }

    @Override
    public void onPbdma(int pbdma, int channel, int interruptBits, int method, int data) {
        reports.pbdmas().report(pbdma).describe(channel, 0);
        reports.pbdmas().report(pbdma).raise(interruptBits, method, data);
    }

    @Override
    public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
        traps.onMp(gpc, tpc, warpError, globalError);
    }

    @Override
    public void onGraphTrap(
            int channel, int interruptBits, int address, int data, int code, int classId) {
        traps.onGraph(instanceOf(channel), interruptBits, address, data, code, classId);
    }

    @Override
    public void onCopyTrap(int engine, int channel, int interruptBits, int error, int data) {
        traps.onCopy(engine, instanceOf(channel), error, data);
    }

    @Override
    public void onHung(int engine, int channel) {
        reports.engines().hang(engine, channel);
        reports.interrupts().raiseSchedError(Pfifo.SCHED_ERROR_ENGINE_TIMEOUT);
    }

    /// Returns the address of a channel's instance block in the guest's view, 0 if the channel has
    /// been released.
    private long instanceOf(int channel) {
        return channels.isPresent(channel) ? channels.shadow(channel).guestInstance() : 0;
    }
}
