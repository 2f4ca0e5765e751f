package io.gpuvm.gf100.asm;

import java.util.HashMap;
import java.util.Map;

/// Names of a function, or of the whole module.
final class Scope {
    private final Scope outer;
    private final Map<String, Value> values = new HashMap<>();
    private final Map<String, String> aliases = new HashMap<>();

    /// @param outer scope for names that are not in this scope; null for the outermost scope
    Scope(Scope outer) {
        this.outer = outer;
    }

    void define(Token name, Value value) {
        check(name);
        values.put(name.text(), value);
    }

    /// @param register general register or predicate
    void alias(Token name, String register) {
        if (name.text().indexOf('.') >= 0) {
            throw new SourceException(name, name.quoted() + ": expected a name without dots");
        }
        check(name);
        aliases.put(name.text(), register);
    }

    private void check(Token name) {
        if (ReservedNames.isTaken(name.text())) {
            throw new SourceException(name, name.quoted() + ": reserved name");
        }
        if (values.containsKey(name.text()) || aliases.containsKey(name.text())) {
            throw new SourceException(name, name.quoted() + ": defined twice");
        }
    }

    /// Returns the value of the name, or null if the name is undefined.
    Value find(String name) {
        Value value = values.get(name);
        return value != null || outer == null ? value : outer.find(name);
    }

    /// Returns a token that names the register for which this name is an alias, or the token
    /// itself.
    Token resolve(Token token) {
        if (token.kind() != Token.Kind.NAME) {
            return token;
        }
        int dot = token.text().indexOf('.', 1);
        String head = dot < 0 ? token.text() : token.text().substring(0, dot);
        String register = aliases.get(head);
        if (register != null) {
            String text = register + token.text().substring(head.length());
            return new Token(token.kind(), text, token.line(), token.column());
        }
        return outer == null ? token : outer.resolve(token);
    }
}
