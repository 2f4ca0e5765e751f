package io.gpuvm.ptx.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Parses declarations of variables, parameters and signatures.
final class DeclarationParser {
    /// Words for the visibility of symbols.
    static final Set<String> LINKAGES = Set.of(".visible", ".extern", ".weak", ".common");

    /// Words that begin a declaration of variables.
    static final Set<String> SPACES =
            Set.of(
                    ".reg",
                    ".sreg",
                    ".const",
                    ".global",
                    ".local",
                    ".param",
                    ".shared",
                    ".tex",
                    ".surf",
                    ".sampler");

    private static final String ALIGN = ".align";
    private static final String ATTRIBUTE = ".attribute";
    private static final String POINTER = ".ptr";

    private final TokenReader tokens;
    private final ExpressionParser expressions;
    private int depth;

    DeclarationParser(TokenReader tokens) {
        this.tokens = tokens;
        expressions = new ExpressionParser(tokens);
    }

    /// Parses declarations up to a semicolon.
    ///
    /// @param linkage linkage that precedes the state space
    VariableTree variables(SourcePosition position, String linkage) {
        List<String> words = new ArrayList<>();
        ExpressionTree alignment = words(words);
        List<DeclaratorTree> declarators = tokens.list(this::declarator);
        tokens.expect(';');
        return new VariableTree(position, linkage, words, alignment, declarators);
    }

    /// Parses results, which are optional, a name and parameters, which are optional too.
    SignatureTree parameters(List<VariableTree> results) {
        List<VariableTree> parameters =
                tokens.takeIf('(') ? tokens.list(this::parameter, ')') : List.of();
        return new SignatureTree(results, parameters);
    }

    /// Parses results in parentheses, which are optional.
    List<VariableTree> results() {
        return tokens.takeIf('(') ? tokens.list(this::parameter, ')') : List.of();
    }

    private VariableTree parameter() {
        SourcePosition position = tokens.position();
        if (!tokens.is(Lexer.DIRECTIVE)) {
            throw tokens.expected("'.param' or '.reg'");
        }
        List<String> words = new ArrayList<>();
        ExpressionTree alignment = words(words);
        DeclaratorTree declarator =
                tokens.is(Lexer.NAME)
                        ? declarator()
                        : new DeclaratorTree(tokens.position(), "", null, List.of(), null);
        return new VariableTree(position, "", words, alignment, List.of(declarator));
    }

    /// Reads the words before a name, and returns the alignment or null. The alignment of the data
    /// to which a parameter points is skipped.
    private ExpressionTree words(List<String> words) {
        ExpressionTree alignment = null;
        while (tokens.is(Lexer.DIRECTIVE)) {
            if (tokens.takeIfDirective(ALIGN)) {
                ExpressionTree value = expressions.parseSum();
                if (!words.contains(POINTER)) {
                    alignment = value;
                }
            } else if (tokens.takeIfDirective(ATTRIBUTE)) {
                attributes(words);
            } else {
                words.add(tokens.take(Lexer.DIRECTIVE, "a directive"));
            }
        }
        return alignment;
    }

    private void attributes(List<String> words) {
        tokens.expect('(');
        do {
            words.add(tokens.take(Lexer.DIRECTIVE, "an attribute"));
            if (tokens.takeIf('(')) {
                tokens.list(expressions::parse, ')');
            }
        } while (tokens.takeIf(','));
        tokens.expect(')');
    }

    private DeclaratorTree declarator() {
        SourcePosition position = tokens.position();
        String name = tokens.name("a name");
        ExpressionTree count = null;
        if (tokens.takeIf('<')) {
            count = expressions.parseSum();
            tokens.expect('>');
        }
        List<ExpressionTree> dimensions = new ArrayList<>();
        while (tokens.takeIf('[')) {
            dimensions.add(tokens.is(']') ? null : expressions.parse());
            tokens.expect(']');
        }
        InitializerTree initializer = tokens.takeIf('=') ? initializer() : null;
        return new DeclaratorTree(position, name, count, dimensions, initializer);
    }

    private InitializerTree initializer() {
        SourcePosition position = tokens.position();
        if (!tokens.takeIf('{')) {
            ExpressionTree value = expressions.parse();
            // Properties of samplers have names: `{ filter_mode = nearest }`.
            return new InitializerTree.Value(
                    position, tokens.takeIf('=') ? expressions.parse() : value);
        }
        int limit = tokens.limits().depth();
        if (++depth > limit) {
            depth = 0;
            throw new SyntaxException(
                    position, "initial value: depth=%d, limit=%d".formatted(limit + 1, limit));
        }
        List<InitializerTree> parts = tokens.list(this::initializer, '}');
        depth--;
        return new InitializerTree.Braces(position, parts);
    }
}
