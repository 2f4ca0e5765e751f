package io.gpuvm.pv.remote;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import java.util.function.BooleanSupplier;

/// A command that somebody waits for. Used again and again; guarded by the link's lock.
final class Call implements BooleanSupplier {
    private final int index;
    private long uses;
    private boolean free = true;
    private boolean answered;
    private int statusCode;
    private long result;

    /// @param index its place among the calls
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

    /// What its commands carry, so that nobody takes a late answer for one of another use.
    ///
    /// @param slots how many calls there are, a power of two
    long correlation(int slots) {
        return uses * slots + index;
    }

    /// Takes the first answer; of linked commands it is the one that counts.
    void answer(CompletionEntry entry) {
        if (!answered) {
            statusCode = entry.statusCode();
            result = entry.result();
            answered = true;
        }
    }

    /// Whether it is answered.
    @Override
    public boolean getAsBoolean() {
        return answered;
    }

    boolean isOk() {
        return statusCode == CommandStatus.OK.code();
    }

    /// Why it failed.
    String reason() {
        return reason(statusCode);
    }

    long result() {
        return result;
    }

    /// What a status means.
    static String reason(int statusCode) {
        CommandStatus status = CommandStatus.of(statusCode);
        return status == null ? "status=" + statusCode : status.meaning();
    }
}
