package io.gpuvm.pv.host;

/// Receiver of the answers to requests for a guest's channels. Called on the poller's thread.
interface ChannelListener {
    /// Called when a channel begins to open or to end; an answer follows.
    void onBegun();

    /// Called when the GPU may run a channel.
    void onOpened(GuestChannel channel);

    /// Called when a channel has been removed from the GPU; the object is then free for another
    /// channel.
    void onEnded(GuestChannel channel);
}
