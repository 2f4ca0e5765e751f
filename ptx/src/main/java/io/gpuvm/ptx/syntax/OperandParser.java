package io.gpuvm.ptx.syntax;

/// Parses operands of instructions.
final class OperandParser {
    /// Name of a result that is not wanted.
    private static final String DISCARD = "_";

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    OperandParser(TokenReader tokens) {
        this.tokens = tokens;
        expressions = new ExpressionParser(tokens);
    }

    /// Parses an operand of a call, in which parentheses contain arguments.
    OperandTree parseOfCall() {
        SourcePosition position = tokens.position();
        if (tokens.takeIf('(')) {
            return new OperandTree.Group(position, tokens.list(this::elementOrVector, ')'));
        }
        return element();
    }

    /// Parses an operand.
    OperandTree parse() {
        SourcePosition position = tokens.position();
        if (tokens.takeIf('[')) {
            OperandTree.Address address =
                    new OperandTree.Address(position, tokens.list(this::elementOrVector));
            tokens.expect(']');
            return address;
        }
        return elementOrVector();
    }

    private OperandTree elementOrVector() {
        SourcePosition position = tokens.position();
        if (tokens.takeIf('{')) {
            OperandTree.Vector vector =
                    new OperandTree.Vector(position, tokens.list(this::element));
            tokens.expect('}');
            return maybePair(vector);
        }
        return element();
    }

    private OperandTree element() {
        Lexer lexer = tokens.lexer();
        if (!lexer.is(Lexer.NAME)) {
            return expressions.parse();
        }
        ExpressionTree.Name name = new ExpressionTree.Name(lexer.position(), lexer.word());
        lexer.next();
        switch (lexer.kind()) {
            case ',', ';', ']', '}', ')' -> {
                return named(name);
            }
            case '|' -> {
                return maybePair(named(name));
            }
            case '[' -> {
                lexer.next();
                ExpressionTree index = expressions.parse();
                tokens.expect(']');
                return new OperandTree.Subscript(name.position(), name.name(), index);
            }
            default -> {
                return expressions.parseAfter(name);
            }
        }
    }

    private OperandTree maybePair(OperandTree first) {
        if (!tokens.takeIf('|')) {
            return first;
        }
        SourcePosition position = tokens.position();
        String second = tokens.take(Lexer.NAME, "a register");
        return new OperandTree.Pair(
                first.position(), first, named(new ExpressionTree.Name(position, second)));
    }

    private static OperandTree named(ExpressionTree.Name name) {
        return name.name().equals(DISCARD) ? new OperandTree.Discard(name.position()) : name;
    }
}
