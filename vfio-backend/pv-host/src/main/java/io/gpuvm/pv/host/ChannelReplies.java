package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;

/// Completion of the commands that create and destroy channels. Confined to the poller; no method
/// allocates.
final class ChannelReplies implements ChannelListener {
    private final Answers answers;

    ChannelReplies(Answers answers) {
        this.answers = answers;
    }

    @Override
    public void onBegun() {
        answers.expected();
    }

    @Override
    public void onOpened(GuestChannel channel) {
        settle(channel, channel.number());
    }

    @Override
    public void onEnded(GuestChannel channel) {
        settle(channel, 0);
    }

    private void settle(GuestChannel channel, int result) {
        answers.settled();
        if (!channel.isQuiet()) {
            answers.answer(CommandStatus.OK, channel.correlation(), 0, result);
        }
    }
}
