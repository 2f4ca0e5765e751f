package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.DmaRefusals;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The requests of one VM to the GPU's owner, its only way down; and how each lies in a record of a
/// [RequestRing].
///
/// Called on the VM's thread. Requests are queued, carried out in order, and never block, except
/// where a method says so. Channels are named by the guest's numbers. Every address that is handed
/// over lies in the VM's [VmArena]; what hardware finds there has been checked.
///
/// A request has a method here, a [Kind], a line in [#dispatch], and a method of [Handler], which
/// the owner implements: another one touches this file and the owner's.
public final class GpuRequests {
    /// Takes requests, on the owner's thread.
    public interface Handler {
        /// See [GpuRequests#bind].
        void onBind(int channel, long instanceIova, long userdIova);

        /// See [GpuRequests#unbind].
        void onUnbind(int channel);

        /// See [GpuRequests#run].
        void onRun(int channel, boolean runnable);

        /// See [GpuRequests#runlist].
        ///
        /// @param listed its first `count` elements are valid during the call
        void onRunlist(int[] listed, int count);

        /// See [GpuRequests#preempt].
        void onPreempt(int channel);

        /// See [GpuRequests#ring].
        void onRing(int channel, int put);

        /// See [GpuRequests#flush].
        ///
        /// @param times number of requests that this call carries out: one flush is enough, but
        ///   each is to be answered
        void onFlush(long directoryIova, int times);

        /// See [GpuRequests#freeze].
        void onFreeze(int engineBits);

        /// See [GpuRequests#resetEngines].
        void onResetEngines(int pmcEnableBitsCleared);

        /// See [GpuRequests#injectFault].
        void onInjectFault(int engine, int unit);

        /// See [GpuRequests#releaseMethod].
        void onReleaseMethod(int pbdma, int method, int data, int bits);

        /// See [GpuRequests#releaseTrap].
        void onReleaseTrap(int engine, int bits);

        /// See [GpuRequests#mapDma(List, DmaRefusals)].
        ///
        /// @param refusals told of the mappings that are not made
        void onMapDma(List<DmaMapping> atGuestPhysical, DmaRefusals refusals);

        /// See [GpuRequests#unmapDma(List)].
        void onUnmapDma(List<DmaRange> guestPhysical);

        /// See [GpuRequests#openWindow].
        Optional<SharedWindow> onOpenWindow(long bytes);

        /// See [GpuRequests#showWindows].
        void onShowWindows();

        /// See [GpuRequests#closeWindows].
        void onCloseWindows();

        /// See [GpuRequests#reset].
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

    /// Bytes that are mapped at a time. A kernel that has to find, zero and pin all of a large
    /// guest's memory takes longer than anybody waits, and others would wait behind it.
    static final long MAP_BYTES = 64L << 20;

    private static final Kind[] KINDS = Kind.values();

    private final RequestCalls calls;
    private final RequestRing ring;
    private final SharedStatus status;
    private final PendingDoorbells doorbells = new PendingDoorbells();

    /// The runlist of a record, unpacked. Owner's thread.
    private final ChannelBits listed = new ChannelBits();

    /// The same to be packed. VM's thread.
    private final ChannelBits toList = new ChannelBits();

    GpuRequests(RequestCalls calls, RequestRing ring, SharedStatus status) {
        this.calls = calls;
        this.ring = ring;
        this.status = status;
    }

    /// Gives a channel an instance block.
    ///
    /// @param instanceIova its bus address
    /// @param userdIova bus address of its USERD
    public void bind(int channel, long instanceIova, long userdIova) {
        put(Kind.BIND, channel, instanceIova, userdIova);
    }

    /// Takes a channel off its engine and its instance block away. Hardware saves the channel's
    /// state there before that: whoever reuses the memory waits for the answer to a [#preempt] that
    /// is asked for afterwards.
    public void unbind(int channel) {
        put(Kind.UNBIND, channel, 0, 0);
    }

    /// Lets a channel run, or stops it.
    public void run(int channel, boolean runnable) {
        put(Kind.RUN, channel, runnable ? 1 : 0, 0);
    }

    /// Lists the channels that may run, in place of those listed before; their order has no
    /// meaning. Answered by [CompletionInbox#runlistLoaded].
    ///
    /// @param channels the first `count` are read before the call returns
    public void runlist(int[] channels, int count) {
        toList.pack(channels, count);
        put(Kind.RUNLIST, toList.low(), toList.high(), 0);
    }

    /// Takes a channel off its engine. Answered by [CompletionInbox#preempted].
    public void preempt(int channel) {
        put(Kind.PREEMPT, channel, 0, 0);
    }

    /// Tells that there is work in a channel's ring. One that comes before the owner has looked at
    /// the last one costs no record.
    ///
    /// @param put the first entry that is not work
    public void ring(int channel, int put) {
        if (doorbells.ring(channel, put)) {
            put(Kind.RING, channel, 0, 0);
        }
    }

    /// Drops translations that hardware keeps. Answered by [CompletionInbox#flushed].
    ///
    /// @param directoryIova bus address of a shadow page directory
    public void flush(long directoryIova) {
        put(Kind.FLUSH, directoryIova, 0, 0);
    }

    /// State of a channel, as the owner saw it last: `PFIFO.CHANNEL_STATE` without the driver's own
    /// bit. Does not wait for requests that are under way.
    public int channelState(int channel) {
        return status.channelState(channel);
    }

    /// Status of an engine for this VM, as the owner saw it last: `PFIFO.ENGINE_STATUS`, with the
    /// guest's number of the channel; 0 while it works for another VM. Busy from before a channel's
    /// doorbell rings until its work is done, though for a moment perhaps on another engine.
    public int engineStatus(int engine) {
        return status.engineStatus(engine);
    }

    /// GPU time that commands of this VM took which have ended, in nanoseconds. Never falls.
    public long gpuTimeNs() {
        return status.gpuTimeNs();
    }

    /// Lets engines take no work of this VM.
    ///
    /// @param engineBits bit e: engine e; 0 lets all work
    public void freeze(int engineBits) {
        put(Kind.FREEZE, engineBits, 0, 0);
    }

    /// Ends what this VM has on the engines whose bits of `PMC.ENABLE` were cleared.
    public void resetEngines(int pmcEnableBitsCleared) {
        put(Kind.RESET_ENGINES, pmcEnableBitsCleared, 0, 0);
    }

    /// Reports a fault for a unit although nothing faulted, to this VM only.
    public void injectFault(int engine, int unit) {
        put(Kind.INJECT_FAULT, engine, unit, 0);
    }

    /// Tells that the guest has acknowledged what a PBDMA had to say of its channel: a software
    /// method, or an error.
    ///
    /// @param pbdma its number
    /// @param method what the guest left in the method register
    /// @param data what the guest left in the data register
    /// @param bits interrupt bits that were acknowledged
    public void releaseMethod(int pbdma, int method, int data, int bits) {
        put(Kind.RELEASE_METHOD, pbdma, pack(method, data), bits);
    }

    /// Tells that the guest has acknowledged a trap of PGRAPH or of a copy engine.
    ///
    /// @param engine number of the engine
    /// @param bits interrupt bits that were acknowledged
    public void releaseTrap(int engine, int bits) {
        put(Kind.RELEASE_TRAP, engine, bits, 0);
    }

    /// Lets the GPU reach a piece of the guest's memory. Waits until it does, some seconds at most.
    ///
    /// @param atGuestPhysical with the guest-physical address in the place of the bus address
    /// @throws GpuDeviceException if the owner refuses, or took too long; the GPU does not reach it
    ///   then, or not for longer than the owner still works at it
    public void mapDma(DmaMapping atGuestPhysical) {
        long done = 0;
        try {
            do {
                DmaMapping piece = piece(atGuestPhysical, done);
                Question question = Question.toMap(List.of(piece));
                ask(Kind.MAP_DMA, 0, 0, question);
                for (GpuDeviceException why : question.refused().values()) {
                    throw new GpuDeviceException(why.getMessage(), why);
                }
                done += piece.bytes();
            } while (done < atGuestPhysical.bytes());
        } catch (RuntimeException e) {
            if (done > 0) {
                takeBack(atGuestPhysical.iova(), done, e);
            }
            throw e;
        }
    }

    /// Does the same for each of several pieces, in order, and maps those that can be mapped. Small
    /// ones share a request, as many bytes as are mapped at a time; the calling thread rests after
    /// each such request.
    ///
    /// @param atGuestPhysical some dozens at the most
    /// @param refusals told of the pieces that the owner refuses, or for which it took too long
    public void mapDma(List<DmaMapping> atGuestPhysical, DmaRefusals refusals) {
        int first = 0;
        while (first < atGuestPhysical.size()) {
            int end = endOfRequest(atGuestPhysical, first);
            if (end - first == 1) {
                mapAlone(atGuestPhysical.get(first), first, refusals);
            } else {
                mapTogether(atGuestPhysical.subList(first, end), first, refusals);
            }
            first = end;
        }
    }

    /// Takes back what lies in a range. Waits until no access can reach it any more, some seconds
    /// at most; work that takes longer is ended.
    ///
    /// @throws GpuDeviceException if the owner refuses, or took too long
    public void unmapDma(long guestPhysical, long bytes) {
        unmapDma(List.of(new DmaRange(guestPhysical, bytes)));
    }

    /// Does the same for several ranges, in one request; the calling thread rests after it.
    ///
    /// @param guestPhysical some dozens at the most
    /// @throws GpuDeviceException if the owner refuses, or took too long
    public void unmapDma(List<DmaRange> guestPhysical) {
        ask(Kind.UNMAP_DMA, 0, 0, Question.toUnmap(guestPhysical));
        calls.rest(guestPhysical.size());
    }

    /// Opens a window that the guest's VMM may map. Waits for it, some seconds at most.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the GPU has no such windows; otherwise one whose entries are this VM's to
    ///   set, with addresses in its own VRAM, and whose other methods are the owner's to call
    /// @throws GpuDeviceException if there is no room for it, or the owner took too long
    public Optional<SharedWindow> openWindow(long bytes) {
        Question question = new Question();
        ask(Kind.OPEN_WINDOW, bytes, 0, question);
        return question.window();
    }

    /// Makes what was set in this VM's windows count, in the order in which they were opened. Waits
    /// until it does, some seconds at most. All others wait meanwhile, so it should be some hundred
    /// pages at most.
    ///
    /// @throws GpuDeviceException if the owner refuses, or took too long
    public void showWindows() {
        ask(Kind.SHOW_WINDOWS, 0, 0, new Question());
    }

    /// Closes all of this VM's windows; what its VRAM holds of pages that they show is undefined
    /// afterwards. Waits until it is done, some seconds at most.
    ///
    /// @throws GpuDeviceException if the owner refuses, or took too long
    public void closeWindows() {
        ask(Kind.CLOSE_WINDOWS, 0, 0, new Question());
    }

    /// Takes all of this VM's channels away and ends their work; its windows show nothing and are
    /// zeroed. Waits until it is done, some seconds at most. What was asked before is done before.
    ///
    /// @throws GpuDeviceException if the owner refuses, or took too long
    public void reset() {
        ask(Kind.RESET, 0, 0, new Question());
    }

    /// Number of records that one call of [#dispatch] carries out, from a position on: more than
    /// one where the same address space is to be flushed several times in a row. Owner's thread.
    ///
    /// @param end position of the first record that is not to be looked at
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

    /// Hands a record to a handler. Owner's thread.
    ///
    /// @param count number of records that it stands for, by [#countAlike]
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
            case MAP_DMA -> map(ring.takeQuestion(at), handler);
            case UNMAP_DMA -> {
                Question question = ring.takeQuestion(at);
                question.carryOut(() -> handler.onUnmapDma(question.ranges()));
            }
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

    /// Index behind the last mapping that shares a request with the one at `first`.
    private static int endOfRequest(List<DmaMapping> mappings, int first) {
        long bytes = mappings.get(first).bytes();
        int end = first + 1;
        while (end < mappings.size() && mappings.get(end).bytes() <= MAP_BYTES - bytes) {
            bytes += mappings.get(end).bytes();
            end++;
        }
        return end;
    }

    private void mapAlone(DmaMapping mapping, int index, DmaRefusals refusals) {
        try {
            mapDma(mapping);
        } catch (GpuDeviceException e) {
            refusals.onRefused(index, e);
        }
    }

    /// @param base index of the first of them in the list that `refusals` speaks of
    private void mapTogether(List<DmaMapping> mappings, int base, DmaRefusals refusals) {
        Question question;
        try {
            question = Question.toMap(mappings);
        } catch (GpuDeviceException _) {
            // Descriptors may be short: one mapping at a time needs the fewest.
            for (int i = 0; i < mappings.size(); i++) {
                mapAlone(mappings.get(i), base + i, refusals);
            }
            return;
        }
        try {
            ask(Kind.MAP_DMA, 0, 0, question);
            calls.rest(mappings.size());
            question.refused().forEach((index, why) -> refusals.onRefused(base + index, why));
        } catch (GpuDeviceException e) {
            for (int i = 0; i < mappings.size(); i++) {
                refusals.onRefused(base + i, e);
            }
        }
    }

    private static DmaMapping piece(DmaMapping whole, long from) {
        return new DmaMapping(
                whole.descriptor(),
                whole.offset() + from,
                Math.min(MAP_BYTES, whole.bytes() - from),
                whole.iova() + from,
                whole.writable());
    }

    private void takeBack(long guestPhysical, long bytes, RuntimeException why) {
        try {
            unmapDma(guestPhysical, bytes);
        } catch (GpuDeviceException e) {
            why.addSuppressed(e);
        }
    }

    /// Nobody would ever take back a mapping that its virtual machine takes for refused.
    private static void map(Question question, Handler handler) {
        List<DmaMapping> mappings = question.mappings();
        boolean isWanted = question.carryOut(() -> handler.onMapDma(mappings, question::refuse));
        if (!isWanted || question.hasFailed() && mappings.size() > 1) {
            List<DmaRange> ranges = new ArrayList<>(mappings.size());
            for (DmaMapping mapping : mappings) {
                ranges.add(new DmaRange(mapping.iova(), mapping.bytes()));
            }
            try {
                handler.onUnmapDma(ranges);
            } catch (RuntimeException _) {
                // Out of reach all the same, and nobody is left to be told.
            }
        }
    }

    private static long pack(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }
}
