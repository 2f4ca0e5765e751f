package io.gpuvm.sched.policy;

/// What a virtual machine is entitled to. Immutable.
///
/// Of the GPU time that others want too, each gets in proportion to its weight. The cap holds even
/// when nobody else wants the GPU.
///
/// @param weight its part beside the others', 1 to [#MAX_WEIGHT]
/// @param capPercent the most it may have of an engine's time, 1 to 100; 100 is no cap
public record TimeShare(int weight, int capPercent) {
    /// The largest weight.
    public static final int MAX_WEIGHT = 10_000;

    /// A cap that is none.
    public static final int NO_CAP = 100;

    /// Weight 1 and no cap: as much as everybody else.
    public static final TimeShare EQUAL = new TimeShare(1, NO_CAP);

    /// @throws IllegalArgumentException if one of them is out of range
    public TimeShare {
        check("weight", weight, MAX_WEIGHT);
        check("cap", capPercent, NO_CAP);
    }

    /// As much as another weight gets, without a cap.
    public static TimeShare ofWeight(int weight) {
        return new TimeShare(weight, NO_CAP);
    }

    /// The same with another weight.
    public TimeShare withWeight(int newWeight) {
        return new TimeShare(newWeight, capPercent);
    }

    /// The same with another cap, in percent.
    public TimeShare withCap(int newCapPercent) {
        return new TimeShare(weight, newCapPercent);
    }

    /// Whether there is a cap.
    public boolean isCapped() {
        return capPercent < NO_CAP;
    }

    private static void check(String name, int value, int limit) {
        if (value < 1 || value > limit) {
            throw new IllegalArgumentException("%s=%d, limit=1..%d".formatted(name, value, limit));
        }
    }
}
