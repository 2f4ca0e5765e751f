package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.FailureReport;

/// Handler of the owner's events for a guest's channels. Reports interrupts and failures to the
/// guest as news, and each channel's first failure with its reason. Confined to the poller.
final class ChannelEvents implements CompletionInbox.Handler {
    private final GuestChannels channels;
    private final GpuRequests requests;
    private final Runnable onFlushed;
    private final Runnable onNews;

    /// True if a multiprocessor has reported a trap, but PGRAPH has not yet.
    private boolean mpTrapped;

    private int mpGpc;
    private int mpTpc;
    private int mpWarpError;
    private int mpGlobalError;

    /// @param onFlushed called when a flush of the guest is complete
    /// @param onNews called when a channel has raised an interrupt, or failed
    ChannelEvents(
            GuestChannels channels, GpuRequests requests, Runnable onFlushed, Runnable onNews) {
        this.channels = channels;
        this.requests = requests;
        this.onFlushed = onFlushed;
        this.onNews = onNews;
    }

    /// Completes a flush, which concerns the guest as a whole and not a channel.
    @Override
    public void onFlushed() {
        onFlushed.run();
    }

    @Override
    public void onRunlistLoaded() {
        channels.opened();
    }

    @Override
    public void onPreempted(int id) {
        channels.ended(id);
    }

    @Override
    public void onNonStall(int engine) {
        onNews.run();
    }

    /// Reports the failure; the GPU's owner has already removed the channel from the GPU.
    @Override
    public void onMmuFault(int unit, int id, long gpuVa, int statusWord) {
        if (isFirstFailure(id, true)) {
            reportKernel(id, FailureReport.memoryFault(unit, gpuVa, statusWord));
        }
    }

    /// Unbinds the channel, because its position in the push buffer is undefined after a PBDMA
    /// error. No effect on a channel that the guest has destroyed meanwhile: its id may belong to
    /// another session before the GPU's owner executes the request.
    @Override
    public void onPbdma(int pbdma, int id, int interrupts, int method, int data) {
        GuestChannel channel = channels.withId(id);
        if (channel != null && channel.state() == GuestChannel.State.OPEN) {
            requests.unbind(id);
        }
        if (isFirstFailure(id, true)) {
            report(id, FailureReport.pbdma(pbdma, interrupts, method, data));
        }
    }

    @Override
    public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {
        mpTrapped = true;
        mpGpc = gpc;
        mpTpc = tpc;
        mpWarpError = warpError;
        mpGlobalError = globalError;
    }

    /// Acknowledges the trap after the report. The acknowledgement resumes the channel, so a guest
    /// that sees later results can also see the failure.
    @Override
    public void onGraphTrap(int id, int interrupts, int address, int data, int code, int classId) {
        if (isFirstFailure(id, false)) {
            if (mpTrapped) {
                reportKernel(
                        id, FailureReport.instruction(mpGpc, mpTpc, mpWarpError, mpGlobalError));
            } else {
                report(id, FailureReport.graph(interrupts, address, data, code, classId));
            }
        }
        mpTrapped = false;
        requests.releaseTrap(EngineId.GRAPH.number(), interrupts);
    }

    @Override
    public void onCopyTrap(int engine, int id, int interrupts, int error, int data) {
        if (isFirstFailure(id, false)) {
            report(id, FailureReport.copy(EngineId.of(engine), error, data));
        }
        requests.releaseTrap(engine, interrupts);
    }

    /// Reports the failure; the GPU's owner has already removed the channel from the GPU.
    @Override
    public void onHung(int engine, int id) {
        if (isFirstFailure(id, true)) {
            reportKernel(id, FailureReport.timeout(EngineId.of(engine)));
        }
    }

    /// Records a failure of a channel.
    ///
    /// @param id id of the channel, or [CompletionInbox#NO_CHANNEL] if it is unknown
    /// @param ended whether the GPU executes no more commands of the channel
    /// @return whether the reason must be reported to the guest
    private boolean isFirstFailure(int id, boolean ended) {
        onNews.run();
        if (id == CompletionInbox.NO_CHANNEL) {
            return false;
        }
        GuestChannel channel = channels.withId(id);
        return channel != null && channel.fail(ended);
    }

    /// Reports a failure that a kernel may have caused, with the kernel's position.
    private void reportKernel(int id, ChannelFailure failure) {
        report(id, failure.at(requests.takeKernelPosition(id)));
    }

    private void report(int id, ChannelFailure failure) {
        channels.withId(id).report(failure);
    }
}
