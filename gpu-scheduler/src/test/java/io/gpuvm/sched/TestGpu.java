package io.gpuvm.sched;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;

/// One engine and guests that use it, in virtual time from 0. For tests.
public final class TestGpu {
    public static final long US = 1_000;
    public static final long MS = 1_000_000;
    public static final long S = 1_000_000_000;

    /// A command that has run.
    public record Ran(int guest, long arrivedNs, long startedNs, long endedNs) {
        public long usedNs() {
            return endedNs - startedNs;
        }

        public long waitedNs() {
            return startedNs - arrivedNs;
        }

        /// How much of it lies in a window.
        public long usedIn(long fromNs, long toNs) {
            return Math.max(0, Math.min(endedNs, toNs) - Math.max(startedNs, fromNs));
        }
    }

    private record Event(long atNs, long number, Runnable what) {}

    public final GpuScheduler scheduler;

    /// In the order in which they ended.
    public final List<Ran> ran = new ArrayList<>();

    public final List<Guest> guests = new ArrayList<>();

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparing(Event::number));
    private long nowNs;
    private long eventNumber;
    private boolean busy;

    /// Engine time while something waited and nothing ran.
    public long heldNs;

    public TestGpu(PolicyKind kind) {
        this(new GpuScheduler(kind, 1, 1024));
    }

    public TestGpu(GpuScheduler scheduler) {
        this.scheduler = scheduler;
    }

    public long nowNs() {
        return nowNs;
    }

    /// Adds a guest that has so many commands outstanding at any time.
    public Guest guest(Share share, int outstanding, LongSupplier lengthNs, LongSupplier gapNs) {
        Guest guest = new Guest(guests.size(), share, lengthNs, gapNs);
        guests.add(guest);
        for (int i = 0; i < outstanding; i++) {
            at(nowNs, guest::submit);
        }
        return guest;
    }

    /// Does something at a time.
    public void at(long atNs, Runnable what) {
        events.add(new Event(Math.max(atNs, nowNs), eventNumber++, what));
    }

    /// Lets time pass.
    public void runUntil(long untilNs) {
        while (!events.isEmpty() && events.peek().atNs <= untilNs) {
            Event event = events.remove();
            if (!busy && waiting() > 0) {
                heldNs += event.atNs - nowNs;
            }
            nowNs = event.atNs;
            event.what.run();
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
        if (next == null) {
            long untilNs = scheduler.nanosUntilDecision(0, nowNs);
            if (untilNs != SchedulingPolicy.NEVER) {
                at(nowNs + untilNs, () -> {});
            }
            return;
        }
        busy = true;
        Guest guest = guests.stream().filter(g -> g.account == next).findFirst().orElseThrow();
        long arrivedNs = scheduler.take(next, 0, nowNs);
        long startedNs = nowNs;
        long lengthNs = guest.lengthNs.getAsLong();
        guest.startedNs = startedNs;
        at(
                nowNs + lengthNs,
                () -> {
                    busy = false;
                    ran.add(new Ran(guest.number, arrivedNs >> 10, startedNs, nowNs));
                    scheduler.completed(next, 0, lengthNs, nowNs);
                    guest.ended();
                });
    }

    /// Engine time of a guest in a window.
    public long usedIn(int guest, long fromNs, long toNs) {
        return ran.stream()
                .filter(r -> r.guest == guest)
                .mapToLong(r -> r.usedIn(fromNs, toNs))
                .sum();
    }

    /// A virtual machine that submits a command a while after each that has ended.
    public final class Guest {
        public final int number;
        public final VmAccount account;
        private final LongSupplier lengthNs;
        private final LongSupplier gapNs;
        private boolean pausing;
        private int kept;
        private long submitted;
        public long startedNs;

        Guest(int number, Share share, LongSupplier lengthNs, LongSupplier gapNs) {
            this.number = number;
            this.lengthNs = lengthNs;
            this.gapNs = gapNs;
            account = scheduler.attach("guest " + number, share, nowNs);
        }

        /// Submits nothing from now on.
        public void pause() {
            pausing = true;
        }

        /// Goes on.
        public void resume() {
            pausing = false;
            for (; kept > 0; kept--) {
                submit();
            }
        }

        public void submit() {
            if (pausing) {
                kept++;
                return;
            }
            // Tokens are times, made distinct.
            scheduler.submit(account, 0, nowNs << 10 | submitted++ & 1023, nowNs);
        }

        private void ended() {
            at(nowNs + gapNs.getAsLong(), this::submit);
        }
    }
}
