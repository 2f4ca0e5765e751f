package io.gpuvm.ptx.syntax;

import java.util.List;

/// Part of a module.
public sealed interface DirectiveTree
        permits FunctionTree,
                VariableTree,
                DirectiveTree.AddressSize,
                DirectiveTree.Alias,
                DirectiveTree.Pragma,
                DirectiveTree.SourceFile,
                DirectiveTree.Target,
                DirectiveTree.Version {
    /// Returns the position of the first character.
    SourcePosition position();

    /// Version of the language.
    record Version(SourcePosition position, int major, int minor) implements DirectiveTree {}

    /// Target of the module: a GPU and options.
    record Target(SourcePosition position, List<String> names) implements DirectiveTree {
        public Target {
            names = List.copyOf(names);
        }
    }

    /// Width of addresses in bits.
    record AddressSize(SourcePosition position, long bits) implements DirectiveTree {}

    /// Second name of a function.
    record Alias(SourcePosition position, String name, String function) implements DirectiveTree {}

    /// Hint to the compiler.
    record Pragma(SourcePosition position, List<String> texts) implements DirectiveTree {
        public Pragma {
            texts = List.copyOf(texts);
        }
    }

    /// Name of a file that `.loc` refers to.
    ///
    /// @param index number of the file
    record SourceFile(SourcePosition position, int index, String name) implements DirectiveTree {}
}
