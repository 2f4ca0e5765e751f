package io.gpuvm.sched.policy;

/// Entitlement of a virtual machine to engine time. Immutable.
///
/// Engine time that several virtual machines want is divided in proportion to their weights. The
/// cap applies even if no other virtual machine wants the GPU.
///
/// @param weight relative part, 1 to [#MAX_WEIGHT]
/// @param capPercent upper limit of the virtual machine's engine time in percent, 1 to 100; 100
///   means no cap
public record TimeShare(int weight, int capPercent) {
    /// Largest weight.
    public static final int MAX_WEIGHT = 10_000;

    /// Cap of a virtual machine without a limit.
    public static final int NO_CAP = 100;

    /// Weight 1 and no cap: the same part for each virtual machine.
    public static final TimeShare EQUAL = new TimeShare(1, NO_CAP);

    /// @throws IllegalArgumentException if a value is out of range
    public TimeShare {
        check("weight", weight, MAX_WEIGHT);
        check("cap", capPercent, NO_CAP);
    }

    /// Returns a share with the given weight and no cap.
    public static TimeShare ofWeight(int weight) {
        return new TimeShare(weight, NO_CAP);
    }

    /// Returns the same share with another weight.
    public TimeShare withWeight(int newWeight) {
        return new TimeShare(newWeight, capPercent);
    }

    /// Returns the same share with another cap, in percent.
    public TimeShare withCap(int newCapPercent) {
        return new TimeShare(weight, newCapPercent);
    }

    /// Returns whether there is a cap.
    public boolean isCapped() {
        return capPercent < NO_CAP;
    }

    private static void check(String name, int value, int limit) {
        if (value < 1 || value > limit) {
            throw new IllegalArgumentException(
                    "%s=%d, expected 1 to %d".formatted(name, value, limit));
        }
    }
}
