package io.gpuvm.ptx.syntax;

import java.util.List;

/// Module, as it is written.
public record ModuleTree(List<DirectiveTree> directives) {
    public ModuleTree {
        directives = List.copyOf(directives);
    }
}
