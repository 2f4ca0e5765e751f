package io.gpuvm.pv.host;

/// Remaining work of one virtual machine's turn with the poller, for all its sessions together.
/// Confined to the poller.
final class TurnBudget {
    /// Maximum number of commands in one turn: a batch, so that one doorbell and one flush serve
    /// many commands.
    private static final int COMMANDS = 128;

    /// Maximum number of page-table entries processed in one turn, which takes at most a few
    /// hundred microseconds.
    private static final int WORK = 4096;

    /// Maximum number of destroyed address spaces that one turn reclaims: each has a directory of
    /// tables to walk.
    private static final int RECLAIMS = 2;

    /// Cost, in page-table entries, of creating or destroying an object.
    private static final int SETUP_WORK = 512;

    private int commands;
    private int work;
    private int reclaims;

    /// Begins a turn. Work that exceeded the budgets of earlier turns reduces the work of this
    /// turn.
    void renew() {
        commands = COMMANDS;
        work = Math.min(WORK, work + WORK);
        reclaims = RECLAIMS;
    }

    /// Returns whether earlier turns have used up the work of this turn.
    boolean isInDebt() {
        return work <= 0;
    }

    /// Returns whether another command may begin.
    boolean isLeft() {
        return commands > 0 && work > 0;
    }

    /// Returns the number of commands that may begin; 0 if none may.
    int commands() {
        return isLeft() ? commands : 0;
    }

    /// Returns the number of page-table entries left, at least 1.
    int work() {
        return Math.max(1, work);
    }

    /// Counts a command that begins or continues.
    void spendCommand() {
        commands--;
    }

    /// Counts commands of a front end.
    void spendCommands(int count) {
        commands -= count;
        work -= count;
    }

    /// Returns whether another destroyed address space may be reclaimed.
    boolean mayReclaim() {
        return reclaims > 0;
    }

    /// Counts a reclaimed address space.
    void spendReclaim() {
        reclaims--;
    }

    /// Counts an object that is created or destroyed, and the page-table entries for it.
    void spendSetup(int entries) {
        work -= SETUP_WORK + entries;
    }

    /// Counts page-table entries. The count may exceed the remaining work.
    void spend(int entries) {
        work -= entries;
    }
}
