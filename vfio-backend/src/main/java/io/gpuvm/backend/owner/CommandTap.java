package io.gpuvm.backend.owner;

/// Overhears what becomes of commands. Called on the owner's thread; channels are named by the
/// guest's numbers.
public interface CommandTap {
    /// Listens to nothing.
    CommandTap NONE =
            new CommandTap() {
                @Override
                public void onSubmitted(int vm, int channel, long nowNs) {}

                @Override
                public void onStarted(int vm, int channel, long nowNs) {}

                @Override
                public void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs) {}
            };

    /// A command was queued.
    ///
    /// @param vm number of its virtual machine, in the order in which they were attached
    void onSubmitted(int vm, int channel, long nowNs);

    /// The scheduler has chosen a command, and it runs.
    void onStarted(int vm, int channel, long nowNs);

    /// A command that was queued will not be started: its channel may not run, or is gone. It is
    /// submitted again when it may.
    default void onWithdrawn(int vm, int channel) {}

    /// A command has ended, or was ended.
    ///
    /// @param engine that its channel used last
    /// @param usedNs GPU time that it was charged
    void onCompleted(int vm, int channel, int engine, long usedNs, long nowNs);
}
