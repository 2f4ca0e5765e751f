package io.gpuvm.guests.real;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Guest beside a running backend. A test can power the guest on, observe it and kill it at any
/// time while other guests continue. [RealGuestRun] is for guests that all run to completion.
///
/// Any thread, but the thread that powers a guest on must exist until the guest's end (see
/// [Children]).
public final class LiveGuest {
    /// Maximum number of characters of the events that are kept: a guest may report without end.
    private static final long EVENT_CHARACTERS_LIMIT = 64 << 20;

    private final VmSpec vm;
    private final RunOptions options;
    private final GuestFiles files;
    private final RunFolder folder;
    private final RunListener listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<GuestEvent> events = new ArrayList<>();
    private long eventCharacters;
    private GuestMachine machine;
    private boolean killed;
    private boolean ended;

    private LiveGuest(
            VmSpec vm,
            RunOptions options,
            GuestFiles files,
            RunFolder folder,
            RunListener listener) {
        this.vm = vm;
        this.options = options;
        this.files = files;
        this.folder = folder;
        this.listener = listener;
    }

    /// Powers a guest on. Its kernel must have been prepared; no other guest may use its virtual
    /// machine.
    ///
    /// @param options program, arguments, module parameters and timeout; the machines of the
    ///   options are ignored
    /// @param listener receives each event, on the guest's own thread
    public static LiveGuest powerOn(
            VmSpec vm,
            RunOptions options,
            GuestFiles files,
            RunFolder folder,
            Children children,
            RunListener listener) {
        LiveGuest guest = new LiveGuest(vm, options, files, folder, listener);
        guest.machine =
                GuestMachine.start(
                        vm, options, files, folder, children, guest::onLine, guest::onEnd);
        return guest;
    }

    private void onLine(String line) {
        GuestEvent event = GuestEvent.parse(line);
        lock.lock();
        try {
            eventCharacters += line.length() + 1;
            if (eventCharacters <= EVENT_CHARACTERS_LIMIT) {
                events.add(event);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        listener.onEvent(vm.name(), event);
    }

    private void onEnd() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public String name() {
        return vm.name();
    }

    /// Returns the events that the guest has reported, in order, up to a limit on their total
    /// length.
    public List<GuestEvent> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    private long eventCharacters() {
        lock.lock();
        try {
            return eventCharacters;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the first matching event of a kind. Events before this call also count.
    ///
    /// @throws IllegalStateException if the limit expires or the guest ends first; the message
    ///   contains the end of the guest's console
    public <T extends GuestEvent> T await(
            Class<T> kind, Predicate<? super T> matching, Duration limit)
            throws InterruptedException {
        return find(kind, matching, limit).orElseThrow(() -> missed(kind.getSimpleName(), limit));
    }

    /// Waits for the first event of a kind.
    ///
    /// @throws IllegalStateException if the limit expires or the guest ends first
    public <T extends GuestEvent> T await(Class<T> kind, Duration limit)
            throws InterruptedException {
        return await(kind, _ -> true, limit);
    }

    /// Returns whether the guest reports an event of a kind before the limit expires and before the
    /// guest ends.
    public boolean reports(Class<? extends GuestEvent> kind, Duration limit)
            throws InterruptedException {
        return find(kind, _ -> true, limit).isPresent();
    }

    private <T extends GuestEvent> Optional<T> find(
            Class<T> kind, Predicate<? super T> matching, Duration limit)
            throws InterruptedException {
        long leftNs = limit.toNanos();
        int next = 0;
        lock.lock();
        try {
            while (true) {
                for (; next < events.size(); next++) {
                    GuestEvent event = events.get(next);
                    if (kind.isInstance(event) && matching.test(kind.cast(event))) {
                        return Optional.of(kind.cast(event));
                    }
                }
                if (ended || leftNs <= 0) {
                    return Optional.empty();
                }
                leftNs = changed.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    private IllegalStateException missed(String what, Duration limit) {
        List<GuestEvent> all = events();
        return new IllegalStateException(
                "%s: %s before %s, limit=%d s; last event: %s; end of the console:%n%s"
                        .formatted(
                                name(),
                                hasEnded() ? "ended" : "timeout",
                                what,
                                limit.toSeconds(),
                                all.isEmpty() ? "nothing" : all.getLast(),
                                String.join("\n", RunFolder.tail(folder.console(name()), 20))));
    }

    /// Sends a line to the guest's second serial port, from which its program may read.
    public void send(String line) {
        machine.send(line);
    }

    /// Waits until the guest has powered off or has been killed.
    ///
    /// @return false if the limit expires first
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        lock.lock();
        try {
            while (!ended) {
                long leftNs = deadlineNs - System.nanoTime();
                if (leftNs <= 0 || !changed.await(leftNs, TimeUnit.NANOSECONDS)) {
                    return ended;
                }
            }
        } finally {
            lock.unlock();
        }
        machine.exitStatus();
        return true;
    }

    /// Returns whether the guest has powered off or was killed, and all of its events have arrived.
    public boolean hasEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /// Powers the machine off and waits for the end of QEMU. The backend detects the end shortly
    /// afterwards. Has no effect on a guest that has ended.
    public void kill() throws InterruptedException {
        lock.lock();
        try {
            killed |= !ended;
            machine.kill();
            while (!ended) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        machine.exitStatus();
    }

    /// Checks the events that the guest has reported. A guest that was killed or is still running
    /// need not have completed; all other requirements apply.
    public GuestVerdict verdict() throws InterruptedException {
        boolean toTheEnd = hasEnded() && !killed;
        List<String> failures = new ArrayList<>();
        if (toTheEnd && machine.exitStatus() != 0) {
            failures.add("QEMU: exit status %d".formatted(machine.exitStatus()));
        }
        if (eventCharacters() > EVENT_CHARACTERS_LIMIT) {
            failures.add(
                    "events: characters=%d, limit=%d; later events are dropped"
                            .formatted(eventCharacters(), EVENT_CHARACTERS_LIMIT));
        }
        folder.lostReplies(name()).ifPresent(failures::add);
        GuestVerdict.Expectation expectation = GuestVerdict.Expectation.of(options, files);
        return GuestVerdict.of(
                events(), failures, toTheEnd ? expectation : expectation.upToAnyMoment());
    }
}
