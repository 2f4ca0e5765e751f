package io.gpuvm.port;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.SharedWindow;
import java.util.Optional;

/// What one VM may ask of the GPU's owner: the only way down.
///
/// Called on the VM's thread. Requests are queued, carried out in order, and never block, except
/// where a method says so. Channels are named by the guest's numbers. Every address that is handed
/// over lies in the VM's [ShadowArena]; what hardware finds there has been checked.
public interface GpuRequests {
    /// Gives a channel an instance block.
    ///
    /// @param instanceIova its bus address
    /// @param userdIova bus address of its USERD
    void bind(int channel, long instanceIova, long userdIova);

    /// Takes a channel off its engine and its instance block away. Hardware saves the channel's
    /// state there before that: whoever reuses the memory waits for the answer to a [#preempt] that
    /// is asked for afterwards.
    void unbind(int channel);

    /// Lets a channel run, or stops it.
    void run(int channel, boolean runnable);

    /// Lists the channels that may run, in place of those listed before. Answered by
    /// [CompletionInbox#runlistLoaded].
    ///
    /// @param channels the first `count` are read before the call returns
    void runlist(int[] channels, int count);

    /// Takes a channel off its engine. Answered by [CompletionInbox#preempted].
    void preempt(int channel);

    /// There is work in a channel's ring.
    ///
    /// @param put the first entry that is not work
    void ring(int channel, int put);

    /// Drops translations that hardware keeps. Answered by [CompletionInbox#flushed].
    ///
    /// @param directoryIova bus address of a shadow page directory
    void flush(long directoryIova);

    /// What a channel does, as the owner saw it last: `PFIFO.CHANNEL_STATE` without the driver's
    /// own bit. Does not wait for requests that are under way.
    int channelState(int channel);

    /// What an engine does for this VM, as the owner saw it last: `PFIFO.ENGINE_STATUS`, with the
    /// guest's number of the channel; 0 while it works for another VM. Busy from before a channel's
    /// doorbell rings until its work is done, though for a moment perhaps on another engine.
    int engineStatus(int engine);

    /// GPU time that commands of this VM took which have ended, in nanoseconds. Never falls.
    long gpuTimeNs();

    /// Lets engines take no work of this VM.
    ///
    /// @param engineBits bit e: engine e; 0 lets all work
    void freeze(int engineBits);

    /// Ends what this VM has on the engines whose bits of `PMC.ENABLE` were cleared.
    void resetEngines(int pmcEnableBitsCleared);

    /// Reports a fault for a unit although nothing faulted, to this VM only.
    void injectFault(int engine, int unit);

    /// The guest has acknowledged what a PBDMA had to say of its channel: a software method, or an
    /// error.
    ///
    /// @param pbdma who said it
    /// @param method what the guest left in the method register
    /// @param data what the guest left in the data register
    /// @param bits interrupt bits that were acknowledged
    void releaseMethod(int pbdma, int method, int data, int bits);

    /// The guest has acknowledged a trap of PGRAPH or of a copy engine.
    ///
    /// @param engine number of the engine
    /// @param bits interrupt bits that were acknowledged
    void releaseTrap(int engine, int bits);

    /// Lets the GPU reach a piece of the guest's memory. Waits until it does, some seconds at most.
    ///
    /// @param atGuestPhysical with the guest-physical address in the place of the bus address
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the owner refuses, or took too long; the
    ///   GPU does not reach it then, or not for longer than the owner still works at it
    void mapDma(DmaMapping atGuestPhysical);

    /// Takes back what lies in a range. Waits until no access can reach it any more, some seconds
    /// at most; work that takes longer is ended.
    void unmapDma(long guestPhysical, long bytes);

    /// Opens a window that the guest's VMM may map. Waits for it, some seconds at most.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @return empty if the GPU has no such windows; otherwise one whose entries are this VM's to
    ///   set, with addresses in its own VRAM, and whose other methods are the owner's to call
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if there is no room for it, or the owner
    ///   took too long
    Optional<SharedWindow> openWindow(long bytes);

    /// Makes what was set in this VM's windows count, in the order in which they were opened. Waits
    /// until it does, some seconds at most. All others wait meanwhile, so it should be some hundred
    /// pages at most.
    void showWindows();

    /// Closes all of this VM's windows; what its VRAM holds of pages that they show is undefined
    /// afterwards. Waits until it is done, some seconds at most.
    void closeWindows();

    /// Takes all of this VM's channels away and ends their work; its windows show nothing and are
    /// zeroed. Waits until it is done, some seconds at most. What was asked before is done before.
    void reset();
}
