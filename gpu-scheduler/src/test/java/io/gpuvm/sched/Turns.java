package io.gpuvm.sched;

import static org.junit.jupiter.api.Assertions.assertSame;

import io.gpuvm.sched.policy.TimeShare;

/// Scheduler with one engine, stepped by tests. Time is a variable that tests advance.
public final class Turns {
    private static final int ENGINE = 0;
    private static final int LIMIT = 64;

    public final GpuScheduler scheduler;
    public long nowNs;
    private long token;

    public Turns(PolicyKind kind) {
        scheduler = new GpuScheduler(kind, 1, LIMIT);
    }

    public VmAccount attach(String name, TimeShare share) {
        return scheduler.attach(name, share, nowNs);
    }

    public void submit(VmAccount... vms) {
        for (VmAccount vm : vms) {
            scheduler.submit(vm, ENGINE, token++, nowNs);
        }
    }

    public void pass(long ns) {
        nowNs += ns;
    }

    /// Returns the virtual machine that should run; null if none.
    public VmAccount next() {
        return scheduler.next(ENGINE, nowNs);
    }

    public long nanosUntilDecision() {
        return scheduler.nanosUntilDecision(ENGINE, nowNs);
    }

    /// Runs a command of the next virtual machine.
    ///
    /// @return the virtual machine that ran
    public VmAccount run(long lengthNs) {
        VmAccount vm = next();
        scheduler.take(vm, ENGINE, nowNs);
        nowNs += lengthNs;
        scheduler.completed(vm, ENGINE, lengthNs, nowNs);
        return vm;
    }

    /// Asserts that a virtual machine is next, and runs a command of that virtual machine.
    public void runs(VmAccount expected, long lengthNs) {
        assertSame(expected, next());
        run(lengthNs);
    }

    /// Runs a command as [#runs] does; the virtual machine then queues another command.
    public void runsAndComesBack(VmAccount expected, long lengthNs) {
        runs(expected, lengthNs);
        submit(expected);
    }
}
