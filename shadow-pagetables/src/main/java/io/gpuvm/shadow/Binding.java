package io.gpuvm.shadow;

/// Result of a guest's request to bind an instance block: a [ShadowChannel], or a refusal.
public sealed interface Binding permits ShadowChannel, Binding.Refused {
    /// Refusal of an instance block that hardware must not use.
    ///
    /// @param reason text with value and limit, for the log
    record Refused(String reason) implements Binding {}
}
