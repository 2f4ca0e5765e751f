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

    /// Returns whether the values of another signature are in the same places.
    public boolean agrees(PtxSignature other) {
        return agree(parameters, other.parameters) && agree(results, other.results);
    }

    private static boolean agree(List<PtxParameter> one, List<PtxParameter> other) {
        boolean agree = one.size() == other.size();
        for (int i = 0; agree && i < one.size(); i++) {
            agree =
                    one.get(i).offset() == other.get(i).offset()
                            && one.get(i).bytes() == other.get(i).bytes();
        }
        return agree;
    }

    private static int end(List<PtxParameter> all) {
        if (all.isEmpty()) {
            return 0;
        }
        PtxParameter last = all.getLast();
        return last.offset() + (int) last.bytes();
    }
}
