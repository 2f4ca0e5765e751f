package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// Requests from PFIFO's registers to the component that runs the channels. Called on the register
/// thread.
///
/// [#commitRunlist] and [#preempt] may return before they complete, as their result indicates; the
/// driver then reads them as pending until a call to [PfifoUnit] reports their completion.
/// Completions arrive in the order of the requests, one for each request, and not during the call.
/// All other requests have taken effect for the driver when the call returns.
///
/// Numbers of channels, engines and units are in range; the driver's addresses are unchecked and
/// may have any value.
public interface ChannelControl {
    /// Binds a channel to an instance block and discards the channel's state in its previous
    /// instance block.
    ///
    /// @param instanceAddress address in bytes, a multiple of 4 KiB
    void bind(int channel, MemoryTarget target, long instanceAddress);

    /// Unbinds a channel from its instance block.
    void unbind(int channel);

    /// Makes a channel runnable or stops it.
    void run(int channel, boolean runnable);

    /// Returns the state of a channel: the word at 003004, without the bit that the driver writes.
    int status(int channel);

    /// Replaces the runlist.
    ///
    /// @param channels numbers of the channels in order, without repetition; owned by the caller,
    ///   so implementations must not retain the array
    /// @param count number of channels
    /// @return whether the runlist is loaded; otherwise [PfifoUnit#onRunlistLoaded()] is called
    ///   later
    boolean commitRunlist(int[] channels, int count);

    /// Removes a channel from its PBDMA and engine. A runnable channel continues at its next turn.
    ///
    /// @return whether the channel has been removed; otherwise [PfifoUnit#onPreempted()] is called
    ///   later
    boolean preempt(int channel);

    /// Freezes the engines whose bits are set; bit e: engine e accepts no work.
    void freeze(int engineBits);

    /// Reports an artificial fault for a unit, to interrupt a hung engine.
    ///
    /// @param unit number of a [io.gpuvm.gf100.mmu.FaultUnit]
    void injectFault(int engine, int unit);

    /// Called when the driver has acknowledged faults.
    ///
    /// @param units bit u: the block of unit u held a report and is now free
    void releaseFaults(int units);

    /// Called when the driver has acknowledged a report of a PBDMA. The PBDMA continues when no
    /// report is pending.
    ///
    /// @param method method word, which the driver may have replaced
    /// @param data data of the method, which the driver may have replaced
    /// @param bits interrupts of [io.gpuvm.gf100.reg.Pbdma] that were pending and are now cleared
    void releaseMethod(int pbdma, int method, int data, int bits);
}
