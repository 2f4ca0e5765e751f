package io.gpuvm.port;

/// Reports of the GPU's owner to one virtual machine: the only path in that direction.
///
/// The owner's thread adds reports, the virtual machine's thread removes them; neither blocks.
/// Channels have the guest's numbers. The methods that add return false and drop the report if the
/// inbox is full, because the virtual machine's thread has not polled for a long time. After adding
/// a report, the owner wakes the virtual machine's thread.
public interface CompletionInbox {
    /// Channel number for faults that belong to none of this virtual machine's channels.
    int NO_CHANNEL = -1;

    /// Handler of the reports, on the virtual machine's thread.
    interface Handler {
        /// Called for [CompletionInbox#flushed].
        void onFlushed();

        /// Called for [CompletionInbox#preempted].
        void onPreempted(int channel);

        /// Called for [CompletionInbox#runlistLoaded].
        void onRunlistLoaded();

        /// Called for [CompletionInbox#nonStall].
        void onNonStall(int engine);

        /// Called for [CompletionInbox#mmuFault].
        void onMmuFault(int unit, int channel, long gpuVa, int statusWord);

        /// Called for [CompletionInbox#pbdma].
        void onPbdma(int pbdma, int channel, int interrupts, int method, int data);

        /// Called for [CompletionInbox#mpTrap].
        void onMpTrap(int gpc, int tpc, int warpError, int globalError);

        /// Called for [CompletionInbox#graphTrap].
        void onGraphTrap(int channel, int interrupts, int address, int data, int code, int classId);

        /// Called for [CompletionInbox#copyTrap].
        void onCopyTrap(int engine, int channel, int interrupts, int error, int data);

        /// Called for [CompletionInbox#hung].
        void onHung(int engine, int channel);
    }

    /// Reports the completion of one [GpuRequests#flush].
    boolean flushed();

    /// Reports the completion of a [GpuRequests#preempt].
    boolean preempted(int channel);

    /// Reports that a [GpuRequests#runlist] has taken effect.
    boolean runlistLoaded();

    /// Reports a non-stall interrupt of an engine on which this virtual machine had work; another
    /// virtual machine's work may have caused it.
    boolean nonStall(int engine);

    /// Reports an access that the page tables do not permit.
    ///
    /// @param unit number of the fault block
    /// @param channel number, [#NO_CHANNEL] if the fault names no channel
    /// @param statusWord word with the layout of [io.gpuvm.gf100.mmu.FaultStatus]
    boolean mmuFault(int unit, int channel, long gpuVa, int statusWord);

    /// Reports that a PBDMA is stopped at a method of a channel until [GpuRequests#releaseMethod]
    /// is called.
    ///
    /// @param interrupts bits of [io.gpuvm.gf100.reg.Pbdma]
    /// @param method method word, with subchannel and valid bit
    boolean pbdma(int pbdma, int channel, int interrupts, int method, int data);

    /// Reports a stopped multiprocessor and the reason, as a part of the [#graphTrap] that follows.
    ///
    /// @param warpError value as in [io.gpuvm.gf100.reg.PgraphTraps#warpError]
    /// @param globalError value as in [io.gpuvm.gf100.reg.PgraphTraps#globalError]
    boolean mpTrap(int gpc, int tpc, int warpError, int globalError);

    /// Reports that PGRAPH has refused or could not finish a method of a channel, and is stopped
    /// until [GpuRequests#releaseTrap] is called.
    ///
    /// @param interrupts bits of [io.gpuvm.gf100.classes.GraphError]
    /// @param address refused method and subchannel
    /// @param code data error, 0 for another trap
    /// @param classId class bound on the subchannel
    boolean graphTrap(int channel, int interrupts, int address, int data, int code, int classId);

    /// Reports that a copy engine has refused a method of a channel, and is stopped until
    /// [GpuRequests#releaseTrap] is called.
    ///
    /// @param engine number of the engine
    /// @param error error code, method and subchannel
    boolean copyTrap(int engine, int channel, int interrupts, int error, int data);

    /// Reports that a channel's work on an engine has exceeded its deadline and was killed.
    boolean hung(int engine, int channel);

    /// Handles all reports in the inbox, in the order in which they were added.
    ///
    /// @return number of reports
    int poll(Handler handler);
}
