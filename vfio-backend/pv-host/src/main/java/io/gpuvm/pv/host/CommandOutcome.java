package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandStatus;

/// What a command's end means: an answer, unless it is quiet and all went well, and if it failed,
/// the end of those that are linked to it. Confined to the poller; nothing here allocates.
final class CommandOutcome {
    private final Answers answers;
    private final GuestCounts counts;

    /// Whether a linked command has failed, and those that follow are cancelled.
    private boolean cancelling;

    CommandOutcome(Answers answers, GuestCounts counts) {
        this.answers = answers;
        this.counts = counts;
    }

    /// Whether the next command is to be cancelled.
    boolean isCancelling() {
        return cancelling;
    }

    /// Answers a command that has ended.
    void end(CommandEntry command, CommandStatus status, long result) {
        end(command, status, 0, result);
    }

    /// Answers a command that has ended.
    ///
    /// @param doneBytes how far it came
    void end(CommandEntry command, CommandStatus status, long doneBytes, long result) {
        if (note(status, command.isQuiet(), command.isLinked())) {
            answers.answer(status, command.correlation(), doneBytes, result);
        }
    }

    /// Answers a command that has ended, when the GPU has done all flushes that this turn asks for.
    void endFlushed(CommandEntry command, CommandStatus status) {
        if (note(status, command.isQuiet(), command.isLinked())) {
            answers.hold(status, command.correlation(), 0);
        }
    }

    /// Notes how a command has ended.
    ///
    /// @return whether the guest wants an answer
    boolean note(CommandStatus status, boolean quiet, boolean linked) {
        boolean failed = status != CommandStatus.OK;
        if (failed) {
            counts.add(PvCounter.FAILED_COMMANDS, 1);
        }
        cancelling = failed && linked;
        return failed || !quiet;
    }

    /// A command has begun well and is answered later; those that are linked to it go ahead.
    void goesOn() {
        cancelling = false;
    }
}
