package io.gpuvm.sched;

import io.gpuvm.sched.policy.SchedulingPolicy;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/// Engine, and guests that use the engine, in virtual time from 0. For tests.
public final class TestGpu {
    public static final long US = 1_000;
    public static final long MS = 1_000_000;
    public static final long S = 1_000_000_000;

    private static final int TOKEN_SHIFT = 12;
    private static final int TOKEN_MASK = (1 << TOKEN_SHIFT) - 1;

    /// Command that has run.
    public record Ran(int guest, long arrivedNs, long startedNs, long endedNs) {
        public long usedNs() {
            return endedNs - startedNs;
        }

        public long waitedNs() {
            return startedNs - arrivedNs;
        }

        /// Returns the part of the command's time within an interval.
        public long usedIn(long fromNs, long toNs) {
            return Math.max(0, Math.min(endedNs, toNs) - Math.max(startedNs, fromNs));
        }
    }

    private record Event(long atNs, long number, Runnable what) {}

    /// Recorded call to the scheduler, for replay. Guests are identified by number.
    private sealed interface Told {
        long atNs();

        record Attached(long atNs, TimeShare share) implements Told {}

        record Submitted(long atNs, int guest, long token) implements Told {}

        record Started(long atNs, int guest) implements Told {}

        record Completed(long atNs, int guest, long usedNs) implements Told {}
    }

    public final GpuScheduler scheduler;

    /// Completed commands, in order of completion.
    public final List<Ran> ran = new ArrayList<>();

    /// Total engine time until the end of a command, by index in [#ran].
    private final List<Long> totals = new ArrayList<>();

    public final List<Guest> guests = new ArrayList<>();

    /// Action that runs before and after each event, at the event's virtual time.
    public Runnable aroundEvents = () -> {};

    private final List<Told> told = new ArrayList<>();

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparing(Event::number));
    private long nowNs;
    private long eventNumber;
    private boolean busy;

    private long holdingSinceNs = -1;

    /// Total time in which commands waited and none ran.
    public long heldNs;

    /// Longest time in which commands waited and none ran.
    public long longestHoldNs;

    public TestGpu(PolicyKind kind) {
        this(new GpuScheduler(kind, 1, 1024));
    }

    public TestGpu(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    public long nowNs() {
        return nowNs;
    }

    /// Adds a guest with a constant number of outstanding commands.
    public Guest guest(
            TimeShare share, int outstanding, LongSupplier lengthNs, LongSupplier gapNs) {
        Guest guest = new Guest(guests.size(), share, lengthNs, gapNs);
        guests.add(guest);
        for (int i = 0; i < outstanding; i++) {
            at(nowNs, guest::submit);
        }
        return guest;
    }

    /// Schedules an action.
    public void at(long atNs, Runnable what) {
        events.add(new Event(Math.max(atNs, nowNs), eventNumber++, what));
    }

    /// Processes all events up to and including the given time.
    public void runUntil(long untilNs) {
        while (!events.isEmpty() && events.peek().atNs <= untilNs) {
            Event event = events.remove();
            nowNs = event.atNs;
            aroundEvents.run();
            event.what.run();
            aroundEvents.run();
            boolean atOnce = !events.isEmpty() && events.peek().atNs == nowNs;
            if (!atOnce) {
                decide();
            }
        }
        nowNs = untilNs;
    }

    public int waiting() {
        int sum = 0;
        for (Guest guest : guests) {
            sum += guest.account.waiting();
        }
        return sum;
    }

    private void decide() {
        if (busy) {
            return;
        }
        VmAccount next = scheduler.next(0, nowNs);
        boolean holds = next == null && waiting() > 0;
        if (holdingSinceNs >= 0 && !holds) {
            heldNs += nowNs - holdingSinceNs;
            longestHoldNs = Math.max(longestHoldNs, nowNs - holdingSinceNs);
            holdingSinceNs = -1;
        } else if (holds && holdingSinceNs < 0) {
            holdingSinceNs = nowNs;
        }
        if (next == null) {
            long untilNs = scheduler.nanosUntilDecision(0, nowNs);
            if (untilNs != SchedulingPolicy.NEVER) {
                at(nowNs + untilNs, () -> {});
            }
            return;
        }
        busy = true;
        Guest guest = guests.stream().filter(g -> g.account == next).findFirst().orElseThrow();
        long token = scheduler.take(next, 0, nowNs);
        told.add(new Told.Started(nowNs, guest.number));
        long startedNs = nowNs;
        long lengthNs = guest.lengthNs.getAsLong();
        at(
                nowNs + lengthNs,
                () -> {
                    busy = false;
                    ran.add(new Ran(guest.number, token >> TOKEN_SHIFT, startedNs, nowNs));
                    totals.add((totals.isEmpty() ? 0 : totals.getLast()) + lengthNs);
                    scheduler.completed(next, 0, lengthNs, nowNs);
                    told.add(new Told.Completed(nowNs, guest.number, lengthNs));
                    guest.ended();
                });
    }

    /// Replays the recorded calls with another scheduler, which is queried only when a command was
    /// started. No guest may have left, and no policy or share may have changed.
    ///
    /// @return guests that the other scheduler chose, in order; an element is null if no guest was
    ///   chosen
    public List<Integer> chosenAgain(PolicyKind kind) {
        GpuScheduler again = new GpuScheduler(kind, 1, 1024);
        List<VmAccount> accounts = new ArrayList<>();
        List<Integer> chosen = new ArrayList<>();
        for (Told event : told) {
            long atNs = event.atNs();
            switch (event) {
                case Told.Attached it ->
                        accounts.add(again.attach("guest " + accounts.size(), it.share(), atNs));
                case Told.Submitted it ->
                        again.submit(accounts.get(it.guest()), 0, it.token(), atNs);
                case Told.Started it -> {
                    VmAccount next = again.next(0, atNs);
                    chosen.add(next == null ? null : accounts.indexOf(next));
                    again.take(accounts.get(it.guest()), 0, atNs);
                }
                case Told.Completed it ->
                        again.completed(accounts.get(it.guest()), 0, it.usedNs(), atNs);
            }
        }
        return chosen;
    }

    /// Returns the guests of the started commands, in order.
    public List<Integer> started() {
        return told.stream()
                .filter(Told.Started.class::isInstance)
                .map(event -> ((Told.Started) event).guest())
                .toList();
    }

    /// Returns the longest time for which a guest had a waiting command and no running command;
    /// includes a wait that has not ended.
    public long longestWaitNs(int guest) {
        long longest = 0;
        long freeNs = 0;
        for (Ran command : ran) {
            if (command.guest == guest) {
                long since = Math.max(command.arrivedNs, freeNs);
                longest = Math.max(longest, command.startedNs - since);
                freeNs = command.endedNs;
            }
        }
        VmAccount account = guests.get(guest).account;
        if (account.waiting() > 0) {
            long firstNs = scheduler.first(account, 0) >> TOKEN_SHIFT;
            longest = Math.max(longest, nowNs - Math.max(firstNs, freeNs));
        }
        return longest;
    }

    /// Returns the engine time of a guest in an interval.
    public long usedIn(int guest, long fromNs, long toNs) {
        long sum = 0;
        for (int i = firstEndingAfter(fromNs); i < ran.size(); i++) {
            Ran command = ran.get(i);
            if (command.startedNs >= toNs) {
                break;
            }
            sum += command.guest == guest ? command.usedIn(fromNs, toNs) : 0;
        }
        return sum;
    }

    /// Returns the engine time of all guests in an interval.
    public long usedIn(long fromNs, long toNs) {
        long sum = 0;
        for (Guest guest : guests) {
            sum += usedIn(guest.number, fromNs, toNs);
        }
        return sum;
    }

    /// Returns the engine time of all guests until a moment.
    public long usedUntil(long timeNs) {
        int next = firstEndingAfter(timeNs);
        long runningNs = next < ran.size() ? ran.get(next).usedIn(0, timeNs) : 0;
        return (next == 0 ? 0 : totals.get(next - 1)) + runningNs;
    }

    private int firstEndingAfter(long timeNs) {
        int low = 0;
        int high = ran.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ran.get(middle).endedNs <= timeNs) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Virtual machine that submits its next command a gap after the end of each command.
    public final class Guest {
        public final int number;
        public final VmAccount account;
        private final LongSupplier lengthNs;
        private final LongSupplier gapNs;
        private boolean pausing;
        private boolean gone;
        private int kept;
        private long submitted;

        Guest(int number, TimeShare share, LongSupplier lengthNs, LongSupplier gapNs) {
            this.number = number;
            this.lengthNs = lengthNs;
            this.gapNs = gapNs;
            account = scheduler.attach("guest " + number, share, nowNs);
            told.add(new Told.Attached(nowNs, share));
        }

        /// Stops submitting.
        public void pause() {
            pausing = true;
        }

        /// Resumes submitting.
        public void resume() {
            pausing = false;
            for (; kept > 0; kept--) {
                submit();
            }
        }

        /// Submits commands immediately, in addition to the usual number.
        public void flood(int commands) {
            for (int i = 0; i < commands; i++) {
                submit();
            }
        }

        /// Detaches the guest permanently, with its queued commands.
        public void leave() {
            gone = true;
            scheduler.detach(account, nowNs);
        }

        public void submit() {
            if (gone) {
                return;
            }
            if (pausing) {
                kept++;
                return;
            }
            // Tokens are times, made unique. A refused command is submitted again later.
            long token = nowNs << TOKEN_SHIFT | submitted++ & TOKEN_MASK;
            if (scheduler.submit(account, 0, token, nowNs)) {
                told.add(new Told.Submitted(nowNs, number, token));
            } else {
                at(nowNs + MS, this::submit);
            }
        }

        private void ended() {
            at(nowNs + gapNs.getAsLong(), this::submit);
        }
    }
}
