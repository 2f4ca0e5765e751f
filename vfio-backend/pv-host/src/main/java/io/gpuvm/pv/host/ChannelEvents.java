package io.gpuvm.pv.host;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.pv.host.GuestChannel.State;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.FailureReport;

/// What the GPU's owner says of a guest's channels, and what the guest is told of it: interrupts
/// and failures are news, and the first failure of each channel is shown with its reason. Confined
/// to the poller.
final class ChannelEvents implements CompletionInbox.Handler {
    private final GuestChannels channels;
    private final Answers answers;
    private final GpuRequests requests;
    private final GuestNews news;

    /// What a multiprocessor said last belongs to the trap that follows.
    private boolean mpTrapped;

    private int mpGpc;
    private int mpTpc;
    private int mpWarpError;
    private int mpGlobalError;

    ChannelEvents(GuestChannels channels, Answers answers, GpuRequests requests, GuestNews news) {
        this.channels = channels;
        this.answers = answers;
        this.requests = requests;
        this.news = news;
    }

    /// Flushes are the guest's as a whole.
    @Override
    public void onFlushed() {
        answers.flushAnswered();
    }

    @Override
    public void onRunlistLoaded() {
        channels.opened();
    }

    @Override
    public void onPreempted(int number) {
        channels.ended(number);
    }

    @Override
    public void onNonStall(int engine) {
        news.add();
    }

    /// The GPU's owner has taken the channel off the GPU.
    @Override
    public void onMmuFault(int unit, int number, long gpuVa, int statusWord) {
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.memoryFault(unit, gpuVa, statusWord));
        }
    }

    /// A channel whose words a PBDMA does not understand has lost its way.
    @Override
    public void onPbdma(int pbdma, int number, int interrupts, int method, int data) {
        requests.unbind(number);
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.pbdma(pbdma, interrupts, method, data));
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

    /// The channel goes on with the acknowledgement: whoever sees what comes then knows of this.
    @Override
    public void onGraphTrap(
            int number, int interrupts, int address, int data, int code, int classId) {
        if (isFirstFailure(number, false)) {
            report(
                    number,
                    mpTrapped
                            ? FailureReport.instruction(mpGpc, mpTpc, mpWarpError, mpGlobalError)
                            : FailureReport.graph(interrupts, address, data, code, classId));
        }
        mpTrapped = false;
        requests.releaseTrap(EngineId.GRAPH.number(), interrupts);
    }

    @Override
    public void onCopyTrap(int engine, int number, int interrupts, int error, int data) {
        if (isFirstFailure(number, false)) {
            report(number, FailureReport.copy(EngineId.of(engine), error, data));
        }
        requests.releaseTrap(engine, interrupts);
    }

    /// The GPU's owner has taken the channel off the GPU.
    @Override
    public void onHung(int engine, int number) {
        if (isFirstFailure(number, true)) {
            report(number, FailureReport.timeout(EngineId.of(engine)));
        }
    }

    /// Notes that something went wrong on a channel.
    ///
    /// @param number [CompletionInbox#NO_CHANNEL] if it is unknown on which
    /// @param ended whether the GPU does nothing more for it
    /// @return whether the guest is to be told what it was
    private boolean isFirstFailure(int number, boolean ended) {
        news.add();
        if (number == CompletionInbox.NO_CHANNEL) {
            return false;
        }
        GuestChannel channel = channels.channel(number);
        return channel.state() != State.CLOSED && channel.fail(ended);
    }

    private void report(int number, ChannelFailure failure) {
        channels.channel(number).report(failure);
    }
}
