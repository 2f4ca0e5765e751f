package io.gpuvm.gf100.asm;

import java.util.HashMap;
import java.util.Map;

/// Names of a function, or of the whole module.
final class Scope {
    private final Scope outer;
    private final Map<String, Value> values = new HashMap<>();

    /// @param outer where names are looked for that are not here, or null
    Scope(Scope outer) {
        this.outer = outer;
    }

    void define(Token name, Value value) {
        if (Names.isTaken(name.text())) {
            throw new SourceException(name, name.quoted() + ": the language has that name itself");
        }
        if (values.putIfAbsent(name.text(), value) != null) {
            throw new SourceException(name, name.quoted() + ": defined twice");
        }
    }

    /// What the name stands for, or null.
    Value find(String name) {
        Value value = values.get(name);
        return value != null || outer == null ? value : outer.find(name);
    }
}
