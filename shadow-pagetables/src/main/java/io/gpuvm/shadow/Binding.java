package io.gpuvm.shadow;

/// What became of a guest's wish to bind an instance block: a [ShadowChannel], or a refusal.
public sealed interface Binding permits ShadowChannel, Binding.Refused {
    /// The guest's instance block is not one that hardware may be shown.
    ///
    /// @param reason names value and limit, for the log
    record Refused(String reason) implements Binding {}
}
