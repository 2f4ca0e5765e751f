package io.gpuvm.gf100.asm;

import java.util.ArrayList;
import java.util.List;

/// Instruction as written.
///
/// @param start first token
/// @param guard number of the predicate that guards the operation
/// @param mnemonic operation and modifiers, with dots
/// @param end token of the kind [Token.Kind#END], after the last argument
record Statement(
        Token start,
        int guard,
        boolean guardNot,
        Token mnemonic,
        List<Argument> arguments,
        Token end) {
    static Statement parse(Tokens tokens) {
        Token start = tokens.peek();
        int guard = ReservedNames.TRUE_PREDICATE;
        boolean not = false;
        if (tokens.takeIf("@")) {
            Argument argument = new ArgumentParser(tokens).read();
            if (!(argument instanceof Argument.Predicate predicate)) {
                throw SourceException.expected(argument.token(), "a predicate (P0..P6, PT)");
            }
            guard = predicate.number();
            not = predicate.not();
        }
        Token mnemonic = tokens.expectName("an instruction");
        List<Argument> arguments = new ArrayList<>();
        if (!tokens.isEnd()) {
            do {
                arguments.add(new ArgumentParser(tokens).read());
            } while (tokens.takeIf(","));
        }
        tokens.expectEnd();
        return new Statement(start, guard, not, mnemonic, List.copyOf(arguments), tokens.peek());
    }

    /// Returns the operation's name, without modifiers.
    String operation() {
        int dot = mnemonic.text().indexOf('.');
        return dot < 0 ? mnemonic.text() : mnemonic.text().substring(0, dot);
    }
}
