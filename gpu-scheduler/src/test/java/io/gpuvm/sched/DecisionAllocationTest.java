package io.gpuvm.sched;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gpuvm.sched.policy.TimeShare;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the path of a command through the scheduler allocates no heap memory.
class DecisionAllocationTest {
    private static final int VMS = 8;
    private static final int COMMANDS = 10_000;
    private static final long SHORT_NS = 500_000;
    private static final long LONG_NS = 20_000_000;
    private static final long GAP_NS = 40_000;

    /// Number of attempts; code that is not compiled yet allocates memory.
    private static final int ROUNDS = 20;

    /// Number of bytes that the measurement itself may allocate; less than a byte per command.
    private static final long ALLOWED_BYTES = 4096;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<VmAccount> accounts = new ArrayList<>();
    private GpuScheduler scheduler;
    private long nowNs;

    static Stream<PolicyKind> policies() {
        return PolicyKind.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void givenMixedGuests_whenCommandsRun_thenNoMemoryIsAllocated(PolicyKind kind) {
        scheduler = new GpuScheduler(kind, 1, VMS);
        for (int vm = 0; vm < VMS; vm++) {
            TimeShare share =
                    TimeShare.ofWeight(1 + vm % 3).withCap(vm == 0 ? 10 : TimeShare.NO_CAP);
            accounts.add(scheduler.attach("vm" + vm, share, nowNs));
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS && least > ALLOWED_BYTES; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        long bytes = least;
        assertTrue(bytes <= ALLOWED_BYTES, () -> "bytes=" + bytes + ", commands=" + COMMANDS);
    }

    private void run() {
        for (int command = 0; command < COMMANDS; command++) {
            // Every fifth command is withdrawn; the policy chooses among the others.
            VmAccount account = accounts.get(command % VMS);
            scheduler.submit(account, 0, command, nowNs);
            if (command % 5 == 0) {
                scheduler.withdraw(account, 0, command, nowNs);
            }
            VmAccount next = scheduler.next(0, nowNs);
            if (next == null) {
                long waitNs = scheduler.nanosUntilDecision(0, nowNs);
                nowNs += Math.min(waitNs, GAP_NS);
                continue;
            }
            long token = scheduler.take(next, 0, nowNs);
            long usedNs = token % 2 == 0 ? SHORT_NS : LONG_NS;
            nowNs += usedNs;
            scheduler.completed(next, 0, usedNs, nowNs);
            nowNs += GAP_NS;
        }
    }
}
