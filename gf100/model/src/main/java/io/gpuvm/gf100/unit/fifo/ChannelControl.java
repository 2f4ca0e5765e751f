package io.gpuvm.gf100.unit.fifo;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// What PFIFO's registers ask of whoever runs the channels. Called on the register thread.
///
/// Two requests may take longer than the call, and say so: a driver then reads that they are not
/// done until [PfifoUnit] is told. Such answers come in the order of the requests, one for each,
/// and not during the call. Everything else has taken effect, as far as the driver can tell, when
/// the call returns.
///
/// Numbers of channels, engines and units are in range; addresses are the driver's own and may lie
/// anywhere.
public interface ChannelControl {
    /// Gives a channel an instance block. What it was doing with another one is forgotten.
    ///
    /// @param instanceAddress in bytes, a multiple of 4 KiB
    void bind(int channel, MemoryTarget target, long instanceAddress);

    /// Takes a channel's instance block away.
    void unbind(int channel);

    /// Lets a channel run or stops it.
    void run(int channel, boolean runnable);

    /// What a channel does: 003004 without the driver's own bit.
    int status(int channel);

    /// Replaces the runlist.
    ///
    /// @param channels their numbers in order, each once; the caller's, so not to be kept
    /// @param count how many of them
    /// @return whether it is loaded; otherwise [PfifoUnit#onRunlistLoaded()] will say so
    boolean commitRunlist(int[] channels, int count);

    /// Takes a channel off its PBDMA and engine. If it may still run it goes on when its turn
    /// comes.
    ///
    /// @return whether it is off; otherwise [PfifoUnit#onPreempted()] will say so
    boolean preempt(int channel);

    /// Bit e: engine e takes no work.
    void freeze(int engineBits);

    /// Reports a fault for a unit although nothing faulted, to get a hung engine's attention.
    ///
    /// @param unit number of a [io.gpuvm.gf100.mmu.FaultUnit]
    void injectFault(int engine, int unit);

    /// The driver has acknowledged faults.
    ///
    /// @param units bit u: the block of unit u held a report and is free now
    void releaseFaults(int units);

    /// The driver has acknowledged what a PBDMA reported. When nothing is left of that, the PBDMA
    /// goes on.
    ///
    /// @param method the method word as the driver left it: it may have put another one there
    /// @param data the method's data, likewise
    /// @param bits interrupts of [io.gpuvm.gf100.reg.Pbdma] that were pending and are cleared now
    void releaseMethod(int pbdma, int method, int data, int bits);
}
