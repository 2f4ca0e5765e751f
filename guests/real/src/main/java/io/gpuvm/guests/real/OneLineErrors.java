package io.gpuvm.guests.real;

import java.util.concurrent.Callable;

/// Subcommand of `gpuvm` whose exceptions of the JDK are errors of its user or of the environment,
/// reported in one line: `IllegalArgumentException` for wrong arguments, `IllegalStateException`
/// and `UncheckedIOException` for failures. In other subcommands, these are internal errors.
public interface OneLineErrors extends Callable<Integer> {}
