package io.gpuvm.backend;

import io.gpuvm.sched.PolicyKind;

/// A scheduling policy as it is written: `NAME[,KEY=VALUE]...`.
public final class PolicyOption {
    /// What there is, in words.
    public static final String HELP = "fifo (in the order in which commands come). Default: fifo.";

    private PolicyOption() {}

    /// Reads a policy.
    ///
    /// @param option what it belongs to, for error messages
    /// @throws ConfigException if there is none of that name, or a key is unknown or has a bad
    ///   value
    public static PolicyKind parse(String option, String text) {
        OptionList options = OptionList.parse(option, text);
        options.allowNone();
        try {
            return PolicyKind.named(options.head());
        } catch (IllegalArgumentException e) {
            throw new ConfigException("%s %s: %s".formatted(option, text, e.getMessage()), e);
        }
    }

    /// Writes a policy so that [#parse] reads it.
    public static String textOf(PolicyKind policy) {
        return policy.label();
    }
}
