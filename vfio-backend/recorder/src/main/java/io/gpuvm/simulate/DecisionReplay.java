package io.gpuvm.simulate;

import io.gpuvm.record.RecordingException;
import io.gpuvm.sched.GpuScheduler;
import io.gpuvm.sched.VmAccount;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Result of a replay that passes the recorded inputs to a scheduler at the recorded times, and
/// compares the scheduler's decisions with the recorded decisions. The scheduler is queried only
/// when a command was started, because other queries change nothing (see
/// [io.gpuvm.sched.policy.SchedulingPolicy]).
///
/// @param decisions number of commands that were started
/// @param same number of equal decisions
/// @param firstDifference first differing decision; null if all are equal
public record DecisionReplay(long decisions, long same, String firstDifference) {
    private static final int QUEUE_LIMIT = 128;

    /// Replays a run.
    ///
    /// @throws RecordingException if the run contradicts itself
    public static DecisionReplay of(RecordedRun run) {
        return new Player(run).play();
    }

    /// Returns whether all decisions were equal.
    public boolean isSame() {
        return same == decisions;
    }

    private static final class Player {
        private final RecordedRun run;
        private final GpuScheduler scheduler;
        private final List<VmAccount> accounts;
        private long decisions;
        private long same;
        private String firstDifference;

        Player(RecordedRun run) {
            this.run = run;
            scheduler = new GpuScheduler(run.policy(), RecordedRun.ENGINES, QUEUE_LIMIT);
            accounts = new ArrayList<>(Collections.nCopies(run.names().size(), null));
        }

        DecisionReplay play() {
            boolean governed = false;
            for (RecordedEvent event : run.events()) {
                try {
                    if (event instanceof RecordedEvent.Governed one) {
                        if (governed) {
                            scheduler.policy(one.policy(), one.timeNs());
                        }
                        governed = true;
                    } else {
                        tell(event);
                    }
                } catch (IllegalStateException e) {
                    throw contradiction(event, e);
                }
            }
            return new DecisionReplay(decisions, same, firstDifference);
        }

        private void tell(RecordedEvent event) {
            long nowNs = event.timeNs();
            switch (event) {
                case RecordedEvent.Entitled one -> entitle(one);
                case RecordedEvent.Submitted one ->
                        require(
                                event,
                                scheduler.submit(
                                        account(one.vm(), nowNs),
                                        one.session(),
                                        one.engine(),
                                        one.channel(),
                                        nowNs));
                case RecordedEvent.Withdrawn one ->
                        require(
                                event,
                                scheduler.withdraw(
                                        account(one.vm(), nowNs),
                                        one.engine(),
                                        one.channel(),
                                        nowNs));
                case RecordedEvent.Started one -> start(one);
                case RecordedEvent.Completed one ->
                        scheduler.completed(
                                account(one.vm(), nowNs), one.engine(), one.usedNs(), nowNs);
                case RecordedEvent.Charged one ->
                        scheduler.charge(
                                account(one.vm(), nowNs), one.engine(), one.usedNs(), nowNs);
                case RecordedEvent.Governed _ -> throw new AssertionError(event);
            }
        }

        private void entitle(RecordedEvent.Entitled one) {
            if (accounts.get(one.vm()) == null) {
                attach(one.vm(), one.share(), one.timeNs());
            } else {
                scheduler.share(accounts.get(one.vm()), one.share(), one.timeNs());
            }
        }

        private void start(RecordedEvent.Started one) {
            VmAccount account = account(one.vm(), one.timeNs());
            VmAccount chosen = scheduler.next(one.engine(), one.timeNs());
            decisions++;
            if (chosen == account && scheduler.first(account, one.engine()) == one.channel()) {
                same++;
            } else if (firstDifference == null) {
                firstDifference =
                        "decision %d, at %.6f s on engine %d: recorded=%s, chosen=%s"
                                .formatted(
                                        decisions,
                                        one.timeNs() / 1e9,
                                        one.engine(),
                                        account.name(),
                                        chosen == null ? "none" : chosen.name());
            }
            scheduler.take(account, one.engine(), one.timeNs());
        }

        private VmAccount account(int vm, long nowNs) {
            if (accounts.get(vm) == null) {
                attach(vm, TimeShare.EQUAL, nowNs);
            }
            return accounts.get(vm);
        }

        private void attach(int vm, TimeShare share, long nowNs) {
            accounts.set(vm, scheduler.attach(run.names().get(vm), share, nowNs));
        }

        private void require(RecordedEvent event, boolean done) {
            if (!done) {
                throw contradiction(event, null);
            }
        }

        private RecordingException contradiction(RecordedEvent event, RuntimeException cause) {
            return new RecordingException(
                    "%s contradicts itself at %s".formatted(run.source(), event), cause);
        }
    }
}
