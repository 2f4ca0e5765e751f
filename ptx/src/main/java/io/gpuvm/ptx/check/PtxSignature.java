package io.gpuvm.ptx.check;

import java.util.List;

/// Results and parameters of a function or of a prototype.
public record PtxSignature(List<PtxParameter> results, List<PtxParameter> parameters) {
    public PtxSignature {
        results = List.copyOf(results);
        parameters = List.copyOf(parameters);
    }

    /// Returns the size of all parameters in bytes.
    public int parameterBytes() {
        return end(parameters);
    }

    /// Returns the size of all results in bytes.
    public int resultBytes() {
        return end(results);
    }

    private static int end(List<PtxParameter> all) {
        if (all.isEmpty()) {
            return 0;
        }
        PtxParameter last = all.getLast();
        return last.offset() + (int) last.bytes();
    }
}
