package io.gpuvm.gf100.asm;

import java.util.List;

/// Expansion of instructions that are not in the hardware's instruction set.
final class Shorthand {
    private static final String BARRIER = "BAR.SYNC";
    private static final String REDUCTION = "BAR.RED.POPC";

    private Shorthand() {}

    /// Expands `BAR.SYNC n`, which waits for all threads of the block and to which
    /// `__syncthreads()` compiles; returns all other statements unchanged.
    static Statement expand(Statement statement) {
        if (!statement.mnemonic().text().equals(BARRIER) || statement.arguments().size() != 1) {
            return statement;
        }
        Token token = statement.mnemonic();
        Argument zero =
                new Argument.Register(token, ReservedNames.ZERO_REGISTER, Argument.Signs.NONE);
        Argument always = new Argument.Predicate(token, ReservedNames.TRUE_PREDICATE, false);
        return new Statement(
                statement.start(),
                statement.guard(),
                statement.guardNot(),
                new Token(Token.Kind.NAME, REDUCTION, token.line(), token.column()),
                List.of(zero, statement.arguments().getFirst(), zero, always),
                statement.end());
    }
}
