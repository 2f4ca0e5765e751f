package io.gpuvm.counters;

import java.util.EnumMap;
import java.util.Map;

/// Values of one subject's counters at one moment. Confined to one thread until it is published.
public final class CounterValues {
    private final Map<CounterType, long[]> values = new EnumMap<>(CounterType.class);

    /// Returns the value of the first member, 0 if the file does not contain it.
    public long get(CounterType type) {
        return get(type, 0);
    }

    /// Returns the value of a member, 0 if the file does not contain it.
    public long get(CounterType type, int member) {
        long[] members = values.get(type);
        return members == null ? 0 : members[member];
    }

    /// Returns the sum of all members.
    public long sum(CounterType type) {
        long sum = 0;
        for (int member = 0; member < type.members(); member++) {
            sum += get(type, member);
        }
        return sum;
    }

    /// Sets a value; members that the kind does not have are ignored.
    public void put(CounterType type, int member, long value) {
        if (member < type.members()) {
            values.computeIfAbsent(type, _ -> new long[type.members()])[member] = value;
        }
    }
}
