package io.gpuvm.ptx.syntax;

import java.util.List;

/// Results and parameters of a function or of a prototype.
public record SignatureTree(List<VariableTree> results, List<VariableTree> parameters) {
    public SignatureTree {
        results = List.copyOf(results);
        parameters = List.copyOf(parameters);
    }
}
