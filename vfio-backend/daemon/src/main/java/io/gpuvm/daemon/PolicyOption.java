package io.gpuvm.daemon;

import io.gpuvm.sched.PolicyKind;

/// Textual form of a scheduling policy: `NAME[,KEY=VALUE]...`.
public final class PolicyOption {
    private static final long NANOS_PER_MICROSECOND = 1000;

    private PolicyOption() {}

    /// Parses a policy.
    ///
    /// @param option name of the option, for error messages
    /// @throws ConfigException if there is no such policy, or if a key is unknown or has an invalid
    ///   value
    public static PolicyKind parse(String option, String text) {
        try {
            return PolicyKind.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("%s: %s".formatted(option, e.getMessage()), e);
        }
    }

    /// Returns a policy with all its parameters, in the form that [#parse] reads.
    public static String textOf(PolicyKind policy) {
        return switch (policy) {
            case PolicyKind.Fifo _ -> policy.label();
            case PolicyKind.Credit credit ->
                    "%s,period=%s".formatted(policy.label(), time(credit.periodNs()));
            case PolicyKind.Band band ->
                    "%s,period=%s,window=%s,wait=%s"
                            .formatted(
                                    policy.label(),
                                    time(band.periodNs()),
                                    time(band.windowNs()),
                                    time(band.waitNs()));
            case PolicyKind.Fair fair ->
                    "%s,wait=%s,idle=%d,patience=%s"
                            .formatted(
                                    policy.label(),
                                    time(fair.longestWaitNs()),
                                    fair.waitPercent(),
                                    time(fair.patienceNs()));
        };
    }

    private static String time(long ns) {
        return ns % NANOS_PER_MICROSECOND == 0 ? ns / NANOS_PER_MICROSECOND + "us" : ns + "ns";
    }
}
