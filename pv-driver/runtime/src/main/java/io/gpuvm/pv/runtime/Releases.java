package io.gpuvm.pv.runtime;

/// Numbers of releases of memory that a context has deferred until earlier work is done.
///
/// @param requested number of releases since the context was opened
/// @param done number of these releases that are done; releases are done in the order of the
///   requests
public record Releases(long requested, long done) {
    /// Returns whether memory will be released once earlier work is done.
    public boolean arePending() {
        return done < requested;
    }
}
