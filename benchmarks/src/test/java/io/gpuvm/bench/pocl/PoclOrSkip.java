package io.gpuvm.bench.pocl;

import org.junit.jupiter.api.Assumptions;

/// PoCL for tests. A test is skipped if the host lacks PoCL.
final class PoclOrSkip {
    private PoclOrSkip() {}

    static PoclDevice open() {
        try {
            return PoclDevice.open();
        } catch (NoPoclException e) {
            return Assumptions.abort(e.getMessage());
        }
    }
}
