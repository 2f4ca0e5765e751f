package io.gpuvm.counters;

import java.util.Arrays;
import java.util.List;

/// Kinds of counters. A kind has one or more members for each subject: engines, buckets, regions or
/// reasons. The numbers are part of the file's format, and are never reused for another kind.
public enum CounterType {
    /// Iterations of the loop of the GPU's owner.
    OWNER_LOOPS(1, CounterScope.BACKEND, 1),
    /// Iterations of the loop of the poller of paravirtual guests.
    POLLER_LOOPS(2, CounterScope.BACKEND, 1),
    /// Monotonic time at which the owner's loop was last seen to proceed, in nanoseconds; 0 if
    /// there is no owner.
    OWNER_ALIVE_NS(3, CounterScope.BACKEND, 1),
    /// Monotonic time at which the poller's loop was last seen to proceed, in nanoseconds; 0 if
    /// there is no poller.
    POLLER_ALIVE_NS(4, CounterScope.BACKEND, 1),
    /// VRAM of the GPU, in bytes.
    VRAM_BYTES(5, CounterScope.BACKEND, 1),
    /// VRAM that no virtual machine holds, in bytes.
    VRAM_FREE_BYTES(6, CounterScope.BACKEND, 1),
    /// Heap in use, in bytes.
    HEAP_USED_BYTES(7, CounterScope.BACKEND, 1),
    /// Maximum size of the heap, in bytes.
    HEAP_LIMIT_BYTES(8, CounterScope.BACKEND, 1),
    /// Resident memory of the backend's process, in bytes.
    RESIDENT_BYTES(9, CounterScope.BACKEND, 1),
    /// Processor time of the backend's process, in nanoseconds.
    CPU_NS(11, CounterScope.BACKEND, 1),
    /// GPU time after which a command is stopped, in nanoseconds; 0 if commands are not observed.
    COMMAND_LIMIT_NS(10, CounterScope.BACKEND, 1),

    /// Charged time of the engine, for all virtual machines since the start, in nanoseconds.
    ENGINE_BUSY_NS(20, CounterScope.ENGINE, Members.ENGINES),
    /// Attachment number of the virtual machine whose command has the engine; 0 if it is free.
    ENGINE_HOLDER(21, CounterScope.ENGINE, Members.ENGINES),
    /// Monotonic time from which the holder's use of the engine has not been charged, in
    /// nanoseconds.
    ENGINE_SINCE_NS(22, CounterScope.ENGINE, Members.ENGINES),

    /// Weight, 1 to 10000.
    WEIGHT(40, CounterScope.VM, 1),
    /// Cap in percent, 1 to 100.
    CAP_PERCENT(41, CounterScope.VM, 1),
    /// VRAM that the virtual machine may use, in bytes.
    VRAM_LIMIT_BYTES(42, CounterScope.VM, 1),
    /// VRAM that its guests have allocated, in bytes.
    VRAM_USED_BYTES(43, CounterScope.VM, 1),
    /// Commands that were queued.
    SUBMITTED(44, CounterScope.VM, 1),
    /// Commands that are queued now.
    WAITING(45, CounterScope.VM, 1),
    /// Charged time, by engine, in nanoseconds.
    GPU_TIME_NS(46, CounterScope.VM, Members.ENGINES),
    /// Commands that have completed or were stopped, by the engine for which they were queued.
    COMPLETED(47, CounterScope.VM, Members.ENGINES),
    /// Channels that the owner stopped because of the command limit, of a request of the
    /// administrator, or of an error that the guest did not handle.
    KILLS(48, CounterScope.VM, 1),
    /// MMU faults of its channels.
    FAULTS(49, CounterScope.VM, 1),
    /// Waiting times of started commands, by bucket ([WaitBuckets]).
    WAITS(50, CounterScope.VM, WaitBuckets.COUNT),
    /// Sum of the waiting times, in nanoseconds.
    WAITS_NS(51, CounterScope.VM, 1),
    /// Times from submission to end of the ended commands, by bucket ([WaitBuckets]).
    LATENCIES(52, CounterScope.VM, WaitBuckets.COUNT),
    /// Sum of these times, in nanoseconds.
    LATENCIES_NS(53, CounterScope.VM, 1),

    /// Entries of its rings that were executed or refused.
    RING_ENTRIES(60, CounterScope.VM, 1),
    /// Ring entries that failed.
    RING_FAILURES(61, CounterScope.VM, 1),
    /// Submissions to channels.
    SUBMISSIONS(62, CounterScope.VM, 1),
    /// Page-table entries written, cleared, or examined for clearing.
    PAGE_TABLE_WORK(63, CounterScope.VM, 1),
    /// Flush requests to the GPU's owner.
    FLUSHES(64, CounterScope.VM, 1),
    /// Wake-ups of the sleeping guest.
    WAKES(65, CounterScope.VM, 1),
    /// Failures of channels, and interrupts of engines, that were reported.
    NEWS(66, CounterScope.VM, 1),
    /// Guests that were dropped because of an internal error.
    DROPPED(67, CounterScope.VM, 1),
    /// Guests that were dropped because they violated a protocol.
    VIOLATIONS(68, CounterScope.VM, 1),
    /// Clients that were refused.
    REFUSED_CLIENTS(69, CounterScope.VM, 1),
    /// Guests that connected to its rings.
    CONNECTIONS(70, CounterScope.VM, 1),
    /// Sessions that have a guest now.
    SESSIONS(71, CounterScope.VM, 1),

    /// Clients of its vfio-user socket.
    TRAP_CONNECTIONS(80, CounterScope.VM, 1),
    /// Messages received over vfio-user.
    TRAP_MESSAGES(81, CounterScope.VM, 1),
    /// Posted and packed writes.
    TRAP_POSTED_WRITES(82, CounterScope.VM, 1),
    /// Ranges of guest memory mapped for the GPU.
    TRAP_DMA_MAPS(83, CounterScope.VM, 1),
    /// Unmap operations.
    TRAP_DMA_UNMAPS(84, CounterScope.VM, 1),
    /// Ranges that stayed mapped.
    TRAP_DMA_KEPT(85, CounterScope.VM, 1),
    /// Trapped reads, by region.
    TRAP_READS(86, CounterScope.VM, Members.REGIONS),
    /// Trapped writes, by region.
    TRAP_WRITES(87, CounterScope.VM, Members.REGIONS),
    /// Refused messages, by reason.
    TRAP_REFUSALS(88, CounterScope.VM, Members.REASONS);

    /// Names of the members of kinds that count by engine, in the order of the numbers.
    public static final List<String> ENGINES = List.of("graph", "copy0", "copy1");

    /// Numbers of members; a nested class, because constants cannot use later fields.
    private static final class Members {
        static final int ENGINES = 3;

        /// Regions in which accesses are trapped.
        static final int REGIONS = 9;

        /// Reasons for refusals; some are unused.
        static final int REASONS = 64;
    }

    /// Kinds by number; null if no kind has the number.
    private static final CounterType[] BY_NUMBER = byNumber();

    private final int number;
    private final CounterScope scope;
    private final int members;

    CounterType(int number, CounterScope scope, int members) {
        this.number = number;
        this.scope = scope;
        this.members = members;
    }

    /// Returns the number in the file.
    public int number() {
        return number;
    }

    /// Returns the kind of subject.
    public CounterScope scope() {
        return scope;
    }

    /// Returns the number of counters of this kind for each subject.
    public int members() {
        return members;
    }

    /// Returns the kind with a number; null if there is none.
    static CounterType of(int number) {
        return number < 0 || number >= BY_NUMBER.length ? null : BY_NUMBER[number];
    }

    private static CounterType[] byNumber() {
        int most = Arrays.stream(values()).mapToInt(CounterType::number).max().orElse(0);
        CounterType[] all = new CounterType[most + 1];
        for (CounterType type : values()) {
            all[type.number] = type;
        }
        return all;
    }

    /// Returns the kinds of a scope, in the order of their declaration.
    static List<CounterType> of(CounterScope scope) {
        return Arrays.stream(values()).filter(type -> type.scope == scope).toList();
    }

    /// Returns the number of counters of a scope's subject: of all engines for
    /// [CounterScope#ENGINE].
    static int countOf(CounterScope scope) {
        return of(scope).stream().mapToInt(CounterType::members).sum();
    }
}
