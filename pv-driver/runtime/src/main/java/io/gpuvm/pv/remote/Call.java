package io.gpuvm.pv.remote;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import java.util.function.BooleanSupplier;

/// Command whose answer a thread awaits. Reusable; guarded by the link's lock.
final class Call implements BooleanSupplier {
    private final int index;
    private long uses;
    private boolean free = true;
    private boolean answered;
    private int statusCode;
    private long result;

    /// @param index index among the calls
    Call(int index) {
        this.index = index;
    }

    boolean isFree() {
        return free;
    }

    void take() {
        free = false;
        answered = false;
        uses++;
    }

    void giveBack() {
        free = true;
    }

    /// Returns the correlation of this call's commands, unique per use, so that a late answer is
    /// not mistaken for the answer to a later use.
    ///
    /// @param slots number of calls, a power of two
    long correlation(int slots) {
        return uses * slots + index;
    }

    /// Records the first answer, which applies to all linked commands of the call.
    void answer(CompletionEntry entry) {
        if (!answered) {
            statusCode = entry.statusCode();
            result = entry.result();
            answered = true;
        }
    }

    /// Returns whether the call has been answered.
    @Override
    public boolean getAsBoolean() {
        return answered;
    }

    boolean isOk() {
        return statusCode == CommandStatus.OK.code();
    }

    /// Returns the status code of the answer.
    int statusCode() {
        return statusCode;
    }

    /// Returns the reason for the call's failure.
    String reason() {
        return reason(statusCode);
    }

    long result() {
        return result;
    }

    /// Returns the description of a status.
    static String reason(int statusCode) {
        CommandStatus status = CommandStatus.of(statusCode);
        return status == null ? "status=" + statusCode : status.meaning();
    }
}
