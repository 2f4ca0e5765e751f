package io.gpuvm.port;

/// What the GPU's owner has to say to one VM: the only way up.
///
/// The owner's thread puts in, the VM's thread takes out; neither blocks. Channels are named by the
/// guest's numbers. The methods that put in return false when there is no room: the VM's thread has
/// been away for long, and the owner tries again later. After putting in, the owner wakes the VM's
/// thread.
public interface CompletionInbox {
    /// A channel number that means none of this VM's.
    int NO_CHANNEL = -1;

    /// Takes what was put in, on the VM's thread.
    interface Handler {
        /// See [CompletionInbox#flushed].
        void onFlushed();

        /// See [CompletionInbox#preempted].
        void onPreempted(int channel);

        /// See [CompletionInbox#runlistLoaded].
        void onRunlistLoaded();

        /// See [CompletionInbox#nonStall].
        void onNonStall(int engine);

        /// See [CompletionInbox#mmuFault].
        void onMmuFault(int unit, int channel, long gpuVa, int statusWord);

        /// See [CompletionInbox#pbdma].
        void onPbdma(int pbdma, int channel, int interrupts, int method, int data);

        /// See [CompletionInbox#mpTrap].
        void onMpTrap(int gpc, int tpc, int warpError, int globalError);

        /// See [CompletionInbox#graphTrap].
        void onGraphTrap(int channel, int interrupts, int address, int data, int code, int classId);

        /// See [CompletionInbox#copyTrap].
        void onCopyTrap(int engine, int channel, int interrupts, int error, int data);

        /// See [CompletionInbox#hung].
        void onHung(int engine, int channel);
    }

    /// One [GpuRequests#flush] is done.
    boolean flushed();

    /// A [GpuRequests#preempt] is done.
    boolean preempted(int channel);

    /// A [GpuRequests#runlist] is in force.
    boolean runlistLoaded();

    /// An engine on which this VM had work signalled a non-stall interrupt; possibly for another
    /// VM.
    boolean nonStall(int engine);

    /// An access was refused by the page tables.
    ///
    /// @param unit number of the fault block
    /// @param channel [#NO_CHANNEL] if the fault names none
    /// @param statusWord as [io.gpuvm.gf100.mmu.FaultStatus] lays it out
    boolean mmuFault(int unit, int channel, long gpuVa, int statusWord);

    /// A PBDMA stopped at a method of a channel, until [GpuRequests#releaseMethod].
    ///
    /// @param interrupts bits of [io.gpuvm.gf100.reg.Pbdma]
    /// @param method the method word, with subchannel and valid bit
    boolean pbdma(int pbdma, int channel, int interrupts, int method, int data);

    /// Which multiprocessor stopped, and why: belongs to the [#graphTrap] that follows.
    ///
    /// @param warpError as [io.gpuvm.gf100.reg.PgraphTraps#warpError] shows it
    /// @param globalError as [io.gpuvm.gf100.reg.PgraphTraps#globalError] shows it
    boolean mpTrap(int gpc, int tpc, int warpError, int globalError);

    /// PGRAPH refused a method of a channel, or could not finish it, and waits for
    /// [GpuRequests#releaseTrap].
    ///
    /// @param interrupts bits of [io.gpuvm.gf100.classes.GraphError]
    /// @param address method and subchannel that were refused
    /// @param code data error, 0 for another trap
    /// @param classId class bound on the subchannel
    boolean graphTrap(int channel, int interrupts, int address, int data, int code, int classId);

    /// A copy engine refused a method of a channel and waits for [GpuRequests#releaseTrap].
    ///
    /// @param engine number of the engine
    /// @param error error code, method and subchannel
    boolean copyTrap(int engine, int channel, int interrupts, int error, int data);

    /// What a channel does on an engine did not end in time and was ended.
    boolean hung(int engine, int channel);

    /// Takes out everything that is in, in the order in which it was put in.
    ///
    /// @return how much that was
    int poll(Handler handler);
}
