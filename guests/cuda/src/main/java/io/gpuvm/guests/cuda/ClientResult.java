package io.gpuvm.guests.cuda;

import java.util.List;

/// Result of one client.
///
/// @param version version of the library that the client uses
/// @param trace calls of the client
/// @param reason cause of a failure, or the reason why the client was skipped; empty if it passed
record ClientResult(CudaClient client, String version, CallTrace trace, Kind kind, String reason) {
    /// Kinds of results.
    enum Kind {
        PASSED("pass"),
        FAILED("fail"),
        SKIPPED("skipped");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /// Returns the words of the table's row.
    List<String> row() {
        return List.of(
                client.name(),
                version,
                is(Kind.SKIPPED) ? "-" : Integer.toString(trace.functions().size()),
                kind.toString(),
                reason);
    }
}
