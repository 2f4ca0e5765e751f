package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.FenceWaitCommand;
import java.util.function.LongSupplier;

/// Words of a guest's data area that the guest queries or waits for. Awaited words are read in
/// every round, since no event announces a write by the GPU. Confined to the poller; no method
/// allocates.
final class GuestFences {
    private final GuestDataArea data;
    private final Quota quota;
    private final LongSupplier clockNs;
    private final long[] offsets;
    private final int[] values;
    private final long[] startsNs;
    private final long[] timeoutsNs;
    private final long[] correlations;
    private final boolean[] quiet;
    private int count;

    /// @param quota quota of pending waits
    /// @param most limit of the quota
    /// @param clockNs monotonic clock, in nanoseconds; read only while the guest waits
    GuestFences(GuestDataArea data, Quota quota, int most, LongSupplier clockNs) {
        this.data = data;
        this.quota = quota;
        this.clockNs = clockNs;
        offsets = new long[most];
        values = new int[most];
        startsNs = new long[most];
        timeoutsNs = new long[most];
        correlations = new long[most];
        quiet = new boolean[most];
    }

    /// Returns the number of pending waits.
    int waits() {
        return count;
    }

    /// Answers with the value of a word.
    void query(FenceQueryCommand command, CommandOutcome outcome) {
        CommandStatus status = data.check(command.offset(), Integer.BYTES, Integer.BYTES);
        boolean good = status == CommandStatus.OK;
        outcome.end(
                command, status, good ? Integer.toUnsignedLong(data.word(command.offset())) : 0);
    }

    /// Checks a declaration, which has no other effect: guest and GPU write to the same memory, in
    /// the order of their writes.
    CommandStatus declare(FenceDeclareCommand command) {
        long words = Integer.toUnsignedLong(command.count());
        return words == 0
                ? CommandStatus.BAD_RANGE
                : data.check(command.offset(), words * Integer.BYTES, Integer.BYTES);
    }

    /// Starts a wait for a word, which [#check] answers. The command is answered immediately if it
    /// is refused or the word has already reached its value.
    void await(FenceWaitCommand command, CommandOutcome outcome) {
        long offset = command.offset();
        CommandStatus status = data.check(offset, Integer.BYTES, Integer.BYTES);
        if (status != CommandStatus.OK) {
            outcome.end(command, status, 0);
            return;
        }
        int word = data.word(offset);
        if (isReached(word, command.value())) {
            outcome.end(command, CommandStatus.OK, Integer.toUnsignedLong(word));
        } else if (quota.isUsedUp()) {
            outcome.end(command, CommandStatus.QUOTA_WAITS, 0);
        } else {
            outcome.goesOn();
            add(command);
        }
    }

    /// Answers waits whose words have reached their values, and waits that have timed out.
    ///
    /// @return number of waits that ended
    int check(Answers answers) {
        if (count == 0) {
            return 0;
        }
        long nowNs = clockNs.getAsLong();
        int ended = 0;
        for (int i = count - 1; i >= 0; i--) {
            int word = data.word(offsets[i]);
            boolean reached = isReached(word, values[i]);
            if (reached || Long.compareUnsigned(nowNs - startsNs[i], timeoutsNs[i]) >= 0) {
                long correlation = correlations[i];
                boolean tell = !reached || !quiet[i];
                remove(i);
                if (tell) {
                    CommandStatus status = reached ? CommandStatus.OK : CommandStatus.TIMED_OUT;
                    answers.answer(status, correlation, 0, Integer.toUnsignedLong(word));
                }
                ended++;
            }
        }
        return ended;
    }

    /// Abandons all waits, without answers.
    void release() {
        quota.giveBack(count);
        count = 0;
    }

    /// Returns whether a word has reached a value, both modulo 2^32.
    private static boolean isReached(int word, int value) {
        return word - value >= 0;
    }

    private void add(FenceWaitCommand command) {
        offsets[count] = command.offset();
        values[count] = command.value();
        startsNs[count] = clockNs.getAsLong();
        timeoutsNs[count] = command.timeoutNs();
        correlations[count] = command.correlation();
        quiet[count] = command.isQuiet();
        count++;
        quota.take(1);
    }

    private void remove(int at) {
        count--;
        quota.giveBack(1);
        offsets[at] = offsets[count];
        values[at] = values[count];
        startsNs[at] = startsNs[count];
        timeoutsNs[at] = timeoutsNs[count];
        correlations[at] = correlations[count];
        quiet[at] = quiet[count];
    }
}
