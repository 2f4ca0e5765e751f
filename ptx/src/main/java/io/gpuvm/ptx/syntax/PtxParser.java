package io.gpuvm.ptx.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Parser of PTX. After an error it continues with the next statement or directive, so that it
/// reports several errors. Time and memory are proportional to the length of the source.
public final class PtxParser {
    /// Directives at which the parser continues after an error in a directive of a module.
    private static final Set<String> STARTS =
            Set.of(".entry", ".func", ".visible", ".extern", ".weak", ".version", ".target");

    /// Directives of a module that may follow a declaration without semicolon, beside those that
    /// begin a function or declare variables.
    private static final Set<String> OTHERS =
            Set.of(".file", ".loc", ".section", ".alias", ".address_size");

    private final TokenReader tokens;
    private final DeclarationParser declarations;
    private final StatementParser statements;
    private final List<DirectiveTree> directives = new ArrayList<>();

    private PtxParser(String source, ErrorList errors, SyntaxLimits limits) {
        tokens = new TokenReader(new Lexer(source, errors), errors, limits);
        declarations = new DeclarationParser(tokens);
        statements = new StatementParser(tokens, declarations);
    }

    /// Parses a source.
    ///
    /// @param errors list to which the parser adds diagnostics. If it contains an error, the
    ///   returned tree is incomplete
    public static ModuleTree parse(String source, ErrorList errors, SyntaxLimits limits) {
        if (source.length() > limits.characters()) {
            errors.error(
                    new SourcePosition(1, 1),
                    "source: characters=%d, limit=%d"
                            .formatted(source.length(), limits.characters()));
            return new ModuleTree(List.of());
        }
        return new PtxParser(source, errors, limits).module();
    }

    private ModuleTree module() {
        while (!tokens.is(Lexer.END)) {
            SourcePosition start = tokens.position();
            try {
                directive();
            } catch (SyntaxException e) {
                tokens.errors().error(e.position(), e.getMessage());
                skip(start);
            }
        }
        return new ModuleTree(directives);
    }

    /// Skips to the next directive that begins a line, or in braces to one that begins a function.
    private void skip(SourcePosition start) {
        Lexer lexer = tokens.lexer();
        if (lexer.position().equals(start)) {
            lexer.next();
        }
        int depth = 0;
        while (!lexer.is(Lexer.END)) {
            if (lexer.is(Lexer.DIRECTIVE)
                    && (STARTS.contains(lexer.word()) || depth == 0 && lexer.isFirstOfLine())) {
                return;
            }
            if (lexer.is('{')) {
                depth++;
            } else if (lexer.is('}')) {
                depth--;
            }
            lexer.next();
        }
    }

    private void directive() {
        SourcePosition position = tokens.position();
        Lexer lexer = tokens.lexer();
        if (lexer.is(Lexer.AT_AT)) {
            // Debugging information of PTX 1.x and 2.x: a line `@@DWARF ...`.
            lexer.skipLine();
            return;
        }
        if (tokens.takeIf(';')) {
            return;
        }
        if (!lexer.is(Lexer.DIRECTIVE)) {
            throw tokens.expected("a directive");
        }
        String word = lexer.word();
        switch (word) {
            case ".version" -> directives.add(version(position));
            case ".target" -> {
                lexer.next();
                directives.add(
                        new DirectiveTree.Target(
                                position, tokens.list(() -> tokens.name("a target"))));
            }
            case ".address_size" -> {
                lexer.next();
                directives.add(new DirectiveTree.AddressSize(position, tokens.small("32 or 64")));
            }
            case ".file" -> directives.add(file(position));
            case ".loc" -> statements.line(position);
            case ".section" -> section();
            case ".pragma" ->
                    directives.add(new DirectiveTree.Pragma(position, statements.pragma()));
            case ".alias" -> directives.add(alias(position));
            default -> directives.add(declaration(position));
        }
    }

    private DirectiveTree.Version version(SourcePosition position) {
        tokens.lexer().next();
        SourcePosition at = tokens.position();
        String text = tokens.take(Lexer.NUMBER, "a version such as 2.3");
        if (!text.matches("[0-9]{1,2}\\.[0-9]{1,2}")) {
            throw new SyntaxException(at, Quotation.of(text) + ": expected a version such as 2.3");
        }
        int point = text.indexOf('.');
        return new DirectiveTree.Version(
                position,
                Integer.parseInt(text.substring(0, point)),
                Integer.parseInt(text.substring(point + 1)));
    }

    private DirectiveTree.SourceFile file(SourcePosition position) {
        tokens.lexer().next();
        int index = tokens.small("the number of a file");
        String name = tokens.take(Lexer.STRING, "the name of a file");
        // A time and a size may follow.
        while (tokens.takeIf(',')) {
            tokens.take(Lexer.NUMBER, "a number");
        }
        return new DirectiveTree.SourceFile(position, index, name);
    }

    /// Skips a section of debugging information.
    private void section() {
        Lexer lexer = tokens.lexer();
        lexer.next();
        lexer.next();
        tokens.expect('{');
        int depth = 1;
        while (depth > 0) {
            if (lexer.is(Lexer.END)) {
                throw tokens.expected("'}'");
            }
            if (lexer.is('{')) {
                depth++;
            } else if (lexer.is('}')) {
                depth--;
            }
            lexer.next();
        }
    }

    private DirectiveTree.Alias alias(SourcePosition position) {
        tokens.lexer().next();
        String name = tokens.name("a name");
        tokens.expect(',');
        String function = tokens.name("the name of a function");
        tokens.expect(';');
        return new DirectiveTree.Alias(position, name, function);
    }

    private DirectiveTree declaration(SourcePosition position) {
        Lexer lexer = tokens.lexer();
        String linkage = "";
        if (DeclarationParser.LINKAGES.contains(lexer.word())) {
            linkage = lexer.word();
            lexer.next();
        }
        boolean kernel = lexer.isDirective(".entry");
        if (kernel || lexer.isDirective(".func")) {
            lexer.next();
            return function(position, linkage, kernel);
        }
        if (lexer.is(Lexer.DIRECTIVE) && DeclarationParser.SPACES.contains(lexer.word())) {
            return declarations.variables(position, linkage);
        }
        if (linkage.isEmpty()) {
            throw new SyntaxException(position, lexer.quoted() + ": not a directive of a module");
        }
        throw tokens.expected("'.entry', '.func' or a state space");
    }

    private FunctionTree function(SourcePosition position, String linkage, boolean kernel) {
        // `.func .attribute(...) name` and `.func .noreturn name` occur, too.
        List<FunctionTree.Attribute> attributes = attributes();
        List<VariableTree> results = kernel ? List.of() : declarations.results();
        String name = tokens.name("the name of a function");
        SignatureTree signature = declarations.parameters(results);
        List<FunctionTree.Attribute> all = new ArrayList<>(attributes);
        all.addAll(attributes());
        StatementTree.Block body = null;
        if (tokens.is('{')) {
            body = statements.block();
        } else if (!tokens.is(Lexer.DIRECTIVE) && !tokens.is(Lexer.END)) {
            // Compilers of CUDA 3 omit the semicolon.
            tokens.expect(';');
        }
        return new FunctionTree(position, linkage, kernel, name, signature, all, body);
    }

    private static boolean isDirectiveOfModule(String word) {
        return STARTS.contains(word)
                || DeclarationParser.SPACES.contains(word)
                || DeclarationParser.LINKAGES.contains(word)
                || OTHERS.contains(word);
    }

    private List<FunctionTree.Attribute> attributes() {
        List<FunctionTree.Attribute> attributes = new ArrayList<>();
        ExpressionParser expressions = new ExpressionParser(tokens);
        while (tokens.is(Lexer.DIRECTIVE) && !isDirectiveOfModule(tokens.lexer().word())) {
            SourcePosition position = tokens.position();
            String name = tokens.lexer().word();
            List<ExpressionTree> values = List.of();
            if (name.equals(".pragma")) {
                for (String text : statements.pragma()) {
                    attributes.add(
                            new FunctionTree.Attribute(
                                    position,
                                    name,
                                    List.of(new ExpressionTree.Name(position, text))));
                }
                continue;
            }
            tokens.lexer().next();
            if (name.equals(".attribute")) {
                tokens.expect('(');
                name = tokens.take(Lexer.DIRECTIVE, "an attribute");
                if (tokens.takeIf('(')) {
                    values = tokens.list(expressions::parse, ')');
                }
                tokens.expect(')');
            } else if (tokens.is(Lexer.NUMBER)) {
                values = tokens.list(expressions::parse);
            }
            attributes.add(new FunctionTree.Attribute(position, name, values));
        }
        return attributes;
    }
}
