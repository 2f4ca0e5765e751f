package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandStatus;

/// Completion of commands: sends an answer, unless the command is quiet and succeeded; after a
/// failure, cancels the commands that are linked to the failed command. Confined to the poller; no
/// method allocates.
final class CommandOutcome {
    private final Answers answers;
    private final GuestCounts counts;

    /// True if a linked command has failed, so that the commands that follow are cancelled.
    private boolean cancelling;

    CommandOutcome(Answers answers, GuestCounts counts) {
        this.answers = answers;
        this.counts = counts;
    }

    /// Returns whether the next command must be cancelled.
    boolean isCancelling() {
        return cancelling;
    }

    /// Answers a completed command.
    void end(CommandEntry command, CommandStatus status, long result) {
        end(command, status, 0, result);
    }

    /// Answers a completed command.
    ///
    /// @param doneBytes number of bytes processed
    void end(CommandEntry command, CommandStatus status, long doneBytes, long result) {
        if (note(status, command.isQuiet(), command.isLinked())) {
            answers.answer(status, command.correlation(), doneBytes, result);
        }
    }

    /// Answers a completed command after the GPU has completed all flushes that this turn requests.
    void endFlushed(CommandEntry command, CommandStatus status) {
        if (note(status, command.isQuiet(), command.isLinked())) {
            answers.hold(status, command.correlation(), 0);
        }
    }

    /// Records the status of a completed command.
    ///
    /// @return whether the guest expects an answer
    boolean note(CommandStatus status, boolean quiet, boolean linked) {
        boolean failed = status != CommandStatus.OK;
        if (failed) {
            counts.add(PvCounter.FAILED_COMMANDS, 1);
        }
        cancelling = failed && linked;
        return failed || !quiet;
    }

    /// Records that a command has started and is answered later; the commands linked to it proceed.
    void goesOn() {
        cancelling = false;
    }
}
