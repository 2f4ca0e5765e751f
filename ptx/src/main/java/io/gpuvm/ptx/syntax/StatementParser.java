package io.gpuvm.ptx.syntax;

import java.util.ArrayList;
import java.util.List;

/// Parses statements of functions.
final class StatementParser {
    private final TokenReader tokens;
    private final DeclarationParser declarations;
    private final OperandParser operands;
    private int depth;

    StatementParser(TokenReader tokens, DeclarationParser declarations) {
        this.tokens = tokens;
        this.declarations = declarations;
        operands = new OperandParser(tokens);
    }

    /// Parses a block, whose opening brace is the current token.
    StatementTree.Block block() {
        SourcePosition position = tokens.position();
        int limit = tokens.limits().depth();
        if (depth == limit) {
            throw new SyntaxException(
                    position, "block: depth=%d, limit=%d".formatted(depth + 1, limit));
        }
        depth++;
        tokens.expect('{');
        List<StatementTree> statements = new ArrayList<>();
        while (!tokens.is('}') && !tokens.is(Lexer.END)) {
            StatementTree statement = tokens.recovering(this::statement);
            if (statement != null) {
                statements.add(statement);
            }
        }
        depth--;
        SourcePosition end = tokens.position();
        if (!tokens.takeIf('}')) {
            tokens.errors().error(end, "end of the source: expected '}'");
        }
        return new StatementTree.Block(position, statements, end);
    }

    /// Parses a statement; returns null for an empty statement.
    private StatementTree statement() {
        SourcePosition position = tokens.position();
        return switch (tokens.lexer().kind()) {
            case Lexer.NAME -> named(position);
            case Lexer.DIRECTIVE -> directive(position);
            case '@' -> guarded(position);
            case '{' -> block();
            case ';' -> {
                tokens.expect(';');
                yield null;
            }
            default -> throw tokens.expected("an instruction, a label or a directive");
        };
    }

    private StatementTree named(SourcePosition position) {
        String word = tokens.take(Lexer.NAME, "an instruction");
        if (!tokens.takeIf(':')) {
            return instruction(position, null, false, word);
        }
        if (word.indexOf('.') >= 0) {
            throw new SyntaxException(
                    position, Quotation.of(word) + ": expected a label without '.'");
        }
        if (tokens.takeIfDirective(".callprototype")) {
            List<VariableTree> results = declarations.results();
            tokens.name("'_'");
            SignatureTree signature = declarations.parameters(results);
            skipAttributes();
            tokens.expect(';');
            return new StatementTree.Prototype(position, word, signature);
        }
        boolean calls = tokens.lexer().isDirective(".calltargets");
        if (calls || tokens.lexer().isDirective(".branchtargets")) {
            tokens.lexer().next();
            List<ExpressionTree.Name> names = tokens.list(this::target);
            tokens.expect(';');
            return new StatementTree.Targets(position, word, calls, names);
        }
        return new StatementTree.Label(position, word);
    }

    private void skipAttributes() {
        while (tokens.is(Lexer.DIRECTIVE)) {
            tokens.lexer().next();
            if (tokens.is(Lexer.NUMBER)) {
                tokens.lexer().next();
            }
        }
    }

    private ExpressionTree.Name target() {
        SourcePosition position = tokens.position();
        return new ExpressionTree.Name(position, tokens.name("a name"));
    }

    private InstructionTree guarded(SourcePosition position) {
        tokens.expect('@');
        boolean negated = tokens.takeIf('!');
        SourcePosition at = tokens.position();
        ExpressionTree.Name guard =
                new ExpressionTree.Name(at, tokens.take(Lexer.NAME, "a predicate"));
        SourcePosition start = tokens.position();
        if (tokens.is('{')) {
            throw tokens.expected("an instruction");
        }
        return instruction(start, guard, negated, tokens.take(Lexer.NAME, "an instruction"));
    }

    private InstructionTree instruction(
            SourcePosition position, ExpressionTree.Name guard, boolean negated, String word) {
        String operation = word;
        while (tokens.is(Lexer.DIRECTIVE)) {
            operation += tokens.take(Lexer.DIRECTIVE, "a modifier");
            checkLength(position, operation);
        }
        List<OperandTree> list = List.of();
        if (!tokens.is(';')) {
            boolean call = operation.equals("call") || operation.startsWith("call.");
            list = call ? tokens.list(operands::parseOfCall) : tokens.list(operands::parse);
        }
        tokens.expect(';');
        return new InstructionTree(position, guard, negated, operation, list);
    }

    private static void checkLength(SourcePosition position, String operation) {
        final int limit = 256;
        if (operation.length() > limit) {
            throw new SyntaxException(
                    position,
                    "%s: characters=%d, limit=%d"
                            .formatted(Quotation.of(operation), operation.length(), limit));
        }
    }

    private StatementTree directive(SourcePosition position) {
        String word = tokens.lexer().word();
        if (DeclarationParser.SPACES.contains(word)) {
            return declarations.variables(position, "");
        }
        if (DeclarationParser.LINKAGES.contains(word)) {
            tokens.lexer().next();
            return declarations.variables(position, word);
        }
        return switch (word) {
            case ".loc" -> line(position);
            case ".pragma" -> new StatementTree.Pragma(position, pragma());
            default ->
                    throw new SyntaxException(
                            position,
                            Quotation.of(word) + ": not a directive of a function's body");
        };
    }

    /// Parses `.pragma` with its texts.
    List<String> pragma() {
        tokens.lexer().next();
        List<String> texts = tokens.list(() -> tokens.take(Lexer.STRING, "a string"));
        tokens.expect(';');
        return texts;
    }

    /// Parses `.loc`, which has no semicolon.
    StatementTree.Line line(SourcePosition position) {
        tokens.lexer().next();
        int file = tokens.small("the number of a file");
        int line = tokens.small("the number of a line");
        int column = tokens.small("the number of a column");
        if (tokens.takeIf(',')) {
            inlining();
        }
        return new StatementTree.Line(position, file, line, column);
    }

    /// Skips `function_name label[+offset], inlined_at file line column`.
    private void inlining() {
        if (!tokens.take(Lexer.NAME, "'function_name'").equals("function_name")) {
            throw tokens.expected("'function_name' before it");
        }
        tokens.take(Lexer.NAME, "a label");
        if (tokens.takeIf('+')) {
            tokens.small("an offset");
        }
        tokens.expect(',');
        tokens.take(Lexer.NAME, "'inlined_at'");
        tokens.small("the number of a file");
        tokens.small("the number of a line");
        tokens.small("the number of a column");
    }
}
