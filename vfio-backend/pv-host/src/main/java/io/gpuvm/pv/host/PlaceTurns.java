package io.gpuvm.pv.host;

import java.util.ArrayList;
import java.util.List;

/// Guests of one place in the poller's rotation. A place has one turn in each round, regardless of
/// the number of its guests: the guests share the budget of the turn, and the next turn begins with
/// the guest after the last guest whose commands were taken, or whose other work used up the
/// budget. Confined to the poller.
final class PlaceTurns {
    private final PvPlace place;
    private final TurnBudget budget = new TurnBudget();
    private final List<PvGuest> guests = new ArrayList<>();

    /// Index of the guest that begins the next turn.
    private int next;

    /// Guest in whose part of the last turn an error occurred; null if there was none.
    private PvGuest failed;

    /// Error of [#failed]; null if there was none.
    private Throwable error;

    PlaceTurns(PvPlace place) {
        this.place = place;
    }

    /// Returns the place of the guests.
    PvPlace place() {
        return place;
    }

    /// Returns the guests; the caller does not change the list.
    List<PvGuest> guests() {
        return guests;
    }

    /// Adds a guest, which is the last of a turn that begins with the first guest.
    void add(PvGuest guest) {
        guests.add(guest);
    }

    /// Removes a guest; the other guests keep their order.
    void remove(PvGuest guest) {
        int at = guests.indexOf(guest);
        guests.remove(at);
        next = at < next ? next - 1 : next;
        if (next >= guests.size()) {
            next = 0;
        }
    }

    /// Runs one turn. It ends early at an error.
    ///
    /// @return amount of work done
    int turn() {
        failed = null;
        error = null;
        budget.renew();
        // Commands that the next turns can take are work.
        int work = budget.isInDebt() ? 1 : 0;
        int count = guests.size();
        int first = next;
        for (int i = 0; i < count && failed == null; i++) {
            int at = (first + i) % count;
            PvGuest guest = guests.get(at);
            boolean wasLeft = budget.isLeft();
            try {
                work += guest.turn(budget);
                if (guest.commandsTaken() > 0 || wasLeft && !budget.isLeft()) {
                    next = (at + 1) % count;
                }
            } catch (RuntimeException | Error e) {
                failed = guest;
                error = e;
                work++;
            }
        }
        place.showUse();
        return work;
    }

    /// Returns the guest in whose part of the last turn an error occurred; null if there was none.
    PvGuest failed() {
        return failed;
    }

    /// Returns the error of [#failed()]; null if there was none.
    Throwable error() {
        return error;
    }
}
