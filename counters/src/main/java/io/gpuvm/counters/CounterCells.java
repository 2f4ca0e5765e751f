package io.gpuvm.counters;

import java.nio.ByteBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/// Counters of one kind and one subject, by member. A counter has one writer at a time; any thread
/// may read it. No method allocates.
public final class CounterCells {
    private final AtomicBuffer values;
    private final int[] offsets;

    /// @param ids numbers of the counters, by member
    CounterCells(AtomicBuffer values, int[] ids) {
        this.values = values;
        offsets = new int[ids.length];
        for (int i = 0; i < ids.length; i++) {
            offsets[i] = CountersReader.counterOffset(ids[i]);
        }
    }

    /// Creates counters that are in no file, with value 0.
    static CounterCells standalone(int members) {
        int[] ids = new int[members];
        for (int i = 0; i < members; i++) {
            ids[i] = i;
        }
        int bytes = members * CountersReader.COUNTER_LENGTH;
        return new CounterCells(new UnsafeBuffer(ByteBuffer.allocateDirect(bytes)), ids);
    }

    /// Returns the value of the only member.
    public long get() {
        return get(0);
    }

    /// Returns the value of a member. Any thread.
    public long get(int member) {
        return values.getLongVolatile(offsets[member]);
    }

    /// Sets the only member, by one ordered store.
    public void set(long value) {
        set(0, value);
    }

    /// Sets a member, by one ordered store.
    public void set(int member, long value) {
        values.putLongRelease(offsets[member], value);
    }

    /// Adds to the only member, by one ordered store.
    public void add(long amount) {
        add(0, amount);
    }

    /// Adds to a member, by one ordered store. Not atomic: a counter has one writer.
    public void add(int member, long amount) {
        int offset = offsets[member];
        values.putLongRelease(offset, values.getLong(offset) + amount);
    }

    /// Returns the sum of all members. Any thread.
    public long sum() {
        long sum = 0;
        for (int member = 0; member < offsets.length; member++) {
            sum += get(member);
        }
        return sum;
    }
}
