package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaPort;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.List;
import java.util.Optional;

/// Requests of one virtual machine to the GPU's owner, the only path in that direction, and their
/// layout in the records of a [RequestRing].
///
/// Called on the virtual machine's thread. Requests are queued and carried out in order. Unless
/// noted otherwise, a request blocks only while the queue is full. Channels have the guest's
/// numbers. Every bus address in a request lies in the virtual machine's [VmArena]; the content
/// that hardware finds there has been checked.
///
/// Each request has a method in this class, a [Kind], a case in [#dispatch], and a method of
/// [Handler], which the owner implements. A new request changes this file and the owner's.
public final class GpuRequests implements DmaPort, WindowPort {
    /// Handler of requests, on the owner's thread.
    public interface Handler {
        /// Called for [GpuRequests#bind].
        void onBind(int channel, long instanceIova, long userdIova);

        /// Called for [GpuRequests#unbind].
        void onUnbind(int channel);

        /// Called for [GpuRequests#run].
        void onRun(int channel, boolean runnable);

        /// Called for [GpuRequests#runlist].
        ///
        /// @param listed channels; the first `count` elements are valid during the call
        void onRunlist(int[] listed, int count);

        /// Called for [GpuRequests#preempt].
        void onPreempt(int channel);

        /// Called for [GpuRequests#ring].
        void onRing(int channel, int put);

        /// Called for [GpuRequests#flush].
        ///
        /// @param times number of requests that this call carries out: one flush is enough, but
        ///   each request needs its own completion
        void onFlush(long directoryIova, int times);

        /// Called for [GpuRequests#freeze].
        void onFreeze(int engineBits);

        /// Called for [GpuRequests#resetEngines].
        void onResetEngines(int pmcEnableBitsCleared);

        /// Called for [GpuRequests#injectFault].
        void onInjectFault(int engine, int unit);

        /// Called for [GpuRequests#releaseMethod].
        void onReleaseMethod(int pbdma, int method, int data, int bits);

        /// Called for [GpuRequests#releaseTrap].
        void onReleaseTrap(int engine, int bits);

        /// Called for [GpuRequests#mapDma(List, DmaRefusals)].
        ///
        /// @param refusals receives the mappings that fail
        void onMapDma(List<DmaMapping> atGuestPhysical, DmaRefusals refusals);

        /// Called for [GpuRequests#unmapDma(List)].
        void onUnmapDma(List<DmaRange> guestPhysical);

        /// Called for [GpuRequests#openWindow].
        Optional<SharedWindow> onOpenWindow(long bytes);

        /// Called for [GpuRequests#showWindows].
        void onShowWindows();

        /// Called for [GpuRequests#closeWindows].
        void onCloseWindows();

        /// Called for [GpuRequests#reset].
        void onReset();
    }

    private enum Kind {
        BIND,
        UNBIND,
        RUN,
        RUNLIST,
        PREEMPT,
        RING,
        FLUSH,
        FREEZE,
        RESET_ENGINES,
        INJECT_FAULT,
        RELEASE_METHOD,
        RELEASE_TRAP,
        MAP_DMA,
        UNMAP_DMA,
        OPEN_WINDOW,
        SHOW_WINDOWS,
        CLOSE_WINDOWS,
        RESET
    }

    private static final Kind[] KINDS = Kind.values();

    private final RequestCalls calls;
    private final RequestRing ring;
    private final SharedStatus status;
    private final DmaRequests dma;
    private final PendingDoorbells doorbells = new PendingDoorbells();

    /// Unpacked runlist of a record. Owner's thread.
    private final ChannelBits listed = new ChannelBits();

    /// Runlist to be packed. Virtual machine's thread.
    private final ChannelBits toList = new ChannelBits();

    GpuRequests(RequestCalls calls, RequestRing ring, SharedStatus status) {
        this.calls = calls;
        this.ring = ring;
        this.status = status;
        dma =
                new DmaRequests(
                        calls,
                        question -> ask(Kind.MAP_DMA, 0, 0, question),
                        question -> ask(Kind.UNMAP_DMA, 0, 0, question));
    }

    /// Binds a channel to an instance block.
    ///
    /// @param instanceIova bus address of the instance block
    /// @param userdIova bus address of the channel's USERD
    public void bind(int channel, long instanceIova, long userdIova) {
        put(Kind.BIND, channel, instanceIova, userdIova);
    }

    /// Removes a channel from its engine, and detaches its instance block. Hardware first saves the
    /// channel's state in the block, so the caller must wait for the completion of a later
    /// [#preempt] before it reuses the memory.
    public void unbind(int channel) {
        put(Kind.UNBIND, channel, 0, 0);
    }

    /// Enables or disables a channel.
    public void run(int channel, boolean runnable) {
        put(Kind.RUN, channel, runnable ? 1 : 0, 0);
    }

    /// Replaces the list of the channels that may run; their order has no meaning. Completed by
    /// [CompletionInbox#runlistLoaded].
    ///
    /// @param channels numbers; the first `count` are read before the call returns
    public void runlist(int[] channels, int count) {
        toList.pack(channels, count);
        put(Kind.RUNLIST, toList.low(), toList.high(), 0);
    }

    /// Preempts a channel: removes it from its engine. Completed by [CompletionInbox#preempted].
    public void preempt(int channel) {
        put(Kind.PREEMPT, channel, 0, 0);
    }

    /// Reports work in a channel's ring. A doorbell that arrives before the owner has handled the
    /// previous doorbell needs no record.
    ///
    /// @param put index after the last entry that contains work
    public void ring(int channel, int put) {
        if (doorbells.ring(channel, put)) {
            put(Kind.RING, channel, 0, 0);
        }
    }

    /// Flushes translations that hardware caches. Completed by [CompletionInbox#flushed].
    ///
    /// @param directoryIova bus address of a shadow page directory
    public void flush(long directoryIova) {
        put(Kind.FLUSH, directoryIova, 0, 0);
    }

    /// Returns the owner's last view of a channel's state: `PFIFO.CHANNEL_STATE` without the
    /// driver's own bit. Does not wait for requests in flight.
    public int channelState(int channel) {
        return status.channelState(channel);
    }

    /// Returns the owner's last view of an engine's status for this virtual machine:
    /// `PFIFO.ENGINE_STATUS`, with the guest's number of the channel; 0 while the engine works for
    /// another virtual machine. From before a channel's doorbell until the end of the channel's
    /// work, an engine is shown as busy, which may briefly be the wrong engine.
    public int engineStatus(int engine) {
        return status.engineStatus(engine);
    }

    /// Returns the GPU time of this virtual machine's completed commands, in nanoseconds. Never
    /// decreases.
    public long gpuTimeNs() {
        return status.gpuTimeNs();
    }

    /// Returns and forgets the position of a channel's kernel of whose failure the inbox has a
    /// report; null if the GPU, like hardware, does not know it.
    public KernelPosition takeKernelPosition(int channel) {
        return status.takeKernelPosition(channel);
    }

    /// Stops engines from accepting work of this virtual machine.
    ///
    /// @param engineBits bit e: engine e; 0 lets all engines accept work
    public void freeze(int engineBits) {
        put(Kind.FREEZE, engineBits, 0, 0);
    }

    /// Ends the work of this virtual machine on the engines whose bits of `PMC.ENABLE` were
    /// cleared.
    public void resetEngines(int pmcEnableBitsCleared) {
        put(Kind.RESET_ENGINES, pmcEnableBitsCleared, 0, 0);
    }

    /// Makes the owner report a fault of a unit to this virtual machine alone, although no access
    /// has failed.
    public void injectFault(int engine, int unit) {
        put(Kind.INJECT_FAULT, engine, unit, 0);
    }

    /// Reports that the guest has acknowledged a PBDMA's report about a channel of the guest: a
    /// software method, or an error.
    ///
    /// @param pbdma number of the PBDMA
    /// @param method value that the guest left in the method register
    /// @param data value that the guest left in the data register
    /// @param bits interrupt bits that were acknowledged
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        put(Kind.RELEASE_METHOD, pbdma, pack(method, data), bits);
    }

    /// Reports that the guest has acknowledged a trap of PGRAPH or of a copy engine.
    ///
    /// @param engine number of the engine
    /// @param bits interrupt bits that were acknowledged
    public void releaseTrap(int engine, int bits) {
        put(Kind.RELEASE_TRAP, engine, bits, 0);
    }

    /// Maps a piece of the guest's memory for the GPU. Waits for the completion, at most a few
    /// seconds.
    ///
    /// @param atGuestPhysical mapping with the guest-physical address in place of the bus address
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline; the GPU
    ///   can then access the memory at most until the owner has finished the request
    @Override
    public void mapDma(DmaMapping atGuestPhysical) {
        dma.map(atGuestPhysical);
    }

    /// Maps several pieces, in order; a refused piece does not affect the other pieces. Small
    /// pieces share a request, up to [DmaRequests#MAP_BYTES]; the calling thread pauses after each
    /// such request.
    ///
    /// @param atGuestPhysical at most a few dozen pieces
    /// @param refusals receives the pieces that the owner refuses, or for which it exceeds the
    ///   deadline
    @Override
    public void mapDma(List<DmaMapping> atGuestPhysical, DmaRefusals refusals) {
        dma.map(atGuestPhysical, refusals);
    }

    /// Unmaps the memory in a range. Waits until the GPU can no longer access it, at most a few
    /// seconds; work that takes longer is killed.
    ///
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline
    @Override
    public void unmapDma(long guestPhysical, long bytes) {
        unmapDma(List.of(new DmaRange(guestPhysical, bytes)));
    }

    /// Unmaps the memory in several ranges, in one request; the calling thread pauses after it.
    ///
    /// @param guestPhysical at most a few dozen ranges
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline
    @Override
    public void unmapDma(List<DmaRange> guestPhysical) {
        dma.unmap(guestPhysical);
    }

    /// Opens a window that the guest's VMM may map. Waits for the completion, at most a few
    /// seconds.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the GPU has no such windows; otherwise a window whose entries this virtual
    ///   machine sets, with addresses in its own VRAM, and whose other methods only the owner calls
    /// @throws GpuDeviceException if there is no room for the window, or the owner exceeds the
    ///   deadline
    @Override
    public Optional<SharedWindow> openWindow(long bytes) {
        Question question = new Question();
        ask(Kind.OPEN_WINDOW, bytes, 0, question);
        return question.window();
    }

    /// Applies the changes of this virtual machine's windows, in the order in which the windows
    /// were opened. Waits for the completion, at most a few seconds. All other requests wait during
    /// that time, so a call should change at most a few hundred pages.
    ///
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline
    @Override
    public void showWindows() {
        ask(Kind.SHOW_WINDOWS, 0, 0, new Question());
    }

    /// Closes all windows of this virtual machine; afterwards, the VRAM pages that the windows
    /// showed have undefined content. Waits for the completion, at most a few seconds.
    ///
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline
    @Override
    public void closeWindows() {
        ask(Kind.CLOSE_WINDOWS, 0, 0, new Question());
    }

    /// Removes all channels of this virtual machine and ends their work; its windows show nothing
    /// and are zeroed. Waits for the completion, at most a few seconds. Earlier requests are
    /// carried out first.
    ///
    /// @throws GpuDeviceException if the owner refuses the request or exceeds the deadline
    public void reset() {
        ask(Kind.RESET, 0, 0, new Question());
    }

    /// Returns the number of records that one call to [#dispatch] carries out, from a position on:
    /// more than one only for consecutive flushes of the same address space. Owner's thread.
    ///
    /// @param end position after the last record to consider
    int countAlike(long at, long end) {
        int count = 1;
        if (ring.kind(at) == Kind.FLUSH.ordinal()) {
            long directory = ring.a(at);
            while (at + count < end
                    && ring.kind(at + count) == Kind.FLUSH.ordinal()
                    && ring.a(at + count) == directory) {
                count++;
            }
        }
        return count;
    }

    /// Passes a record to a handler. Owner's thread.
    ///
    /// @param count number of records that the call carries out, from [#countAlike]
    void dispatch(long at, int count, Handler handler) {
        long a = ring.a(at);
        long b = ring.b(at);
        long c = ring.c(at);
        switch (KINDS[ring.kind(at)]) {
            case BIND -> handler.onBind((int) a, b, c);
            case UNBIND -> handler.onUnbind((int) a);
            case RUN -> handler.onRun((int) a, b != 0);
            case RUNLIST -> handler.onRunlist(listed.channels(), listed.unpack(a, b));
            case PREEMPT -> handler.onPreempt((int) a);
            case RING -> handler.onRing((int) a, doorbells.take((int) a));
            case FLUSH -> handler.onFlush(a, count);
            case FREEZE -> handler.onFreeze((int) a);
            case RESET_ENGINES -> handler.onResetEngines((int) a);
            case INJECT_FAULT -> handler.onInjectFault((int) a, (int) b);
            case RELEASE_METHOD ->
                    handler.onReleaseMethod((int) a, (int) (b >>> Integer.SIZE), (int) b, (int) c);
            case RELEASE_TRAP -> handler.onReleaseTrap((int) a, (int) b);
            case MAP_DMA -> DmaRequests.carryOutMap(ring.takeQuestion(at), handler);
            case UNMAP_DMA -> DmaRequests.carryOutUnmap(ring.takeQuestion(at), handler);
            case OPEN_WINDOW -> {
                Question question = ring.takeQuestion(at);
                question.carryOut(() -> question.window(handler.onOpenWindow(a)));
            }
            case SHOW_WINDOWS -> ring.takeQuestion(at).carryOut(handler::onShowWindows);
            case CLOSE_WINDOWS -> ring.takeQuestion(at).carryOut(handler::onCloseWindows);
            case RESET -> ring.takeQuestion(at).carryOut(handler::onReset);
        }
    }

    private void put(Kind kind, long a, long b, long c) {
        calls.put(kind.ordinal(), a, b, c);
    }

    private void ask(Kind kind, long a, long b, Question question) {
        calls.ask(kind.ordinal(), a, b, question);
    }

    private static long pack(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }
}
