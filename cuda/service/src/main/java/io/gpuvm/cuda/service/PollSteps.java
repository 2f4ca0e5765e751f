package io.gpuvm.cuda.service;

/// Steps of a turn that remain for the checks of a session's pending work. A session whose work
/// does not proceed, however much it is, thus neither delays other virtual machines nor uses up the
/// turn of its siblings. Confined to the poller.
final class PollSteps {
    /// Minimum number of steps, so that work proceeds in each turn.
    private static final int LEAST = 16;

    private final Turn turn;
    private int left;

    PollSteps(Turn turn) {
        this.turn = turn;
    }

    /// Begins a turn: half of its remaining steps are available.
    void renew() {
        left = Math.max(LEAST, turn.steps() / 2);
    }

    /// Returns the number of steps that are left.
    int left() {
        return left;
    }

    /// Returns the steps that one kind of work may take: half of those that are left, at least 1,
    /// or all of them.
    ///
    /// @param isOtherLeft whether other kinds of work need steps
    int share(boolean isOtherLeft) {
        return isOtherLeft ? Math.max(1, left / 2) : left;
    }

    /// Takes steps. The sum may exceed the steps that are left.
    void take(int steps) {
        left = Math.max(0, left - steps);
        turn.spend(steps);
    }

    /// Takes a step.
    ///
    /// @return false if none is left
    boolean take() {
        if (left == 0) {
            return false;
        }
        take(1);
        return true;
    }
}
