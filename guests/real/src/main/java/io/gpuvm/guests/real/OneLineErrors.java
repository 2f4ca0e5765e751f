package io.gpuvm.guests.real;

import java.util.concurrent.Callable;

/// Subcommand of `gpuvm` that reports certain JDK exceptions on one line, as errors of the user or
/// of the environment: `IllegalArgumentException` for wrong arguments, `IllegalStateException` and
/// `UncheckedIOException` for failures. In other subcommands, these exceptions are internal errors.
public interface OneLineErrors extends Callable<Integer> {}
