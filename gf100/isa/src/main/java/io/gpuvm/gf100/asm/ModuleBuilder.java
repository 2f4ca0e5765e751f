package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Processes a source statement by statement: defines labels, and dispatches directives and
/// instructions.
final class ModuleBuilder {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final String file;
    private final List<AssemblyError> errors;
    private final Scope scope = new Scope(null);
    private final List<FunctionBuilder> functions = new ArrayList<>();
    private final Map<Integer, DataBuilder> banks = new LinkedHashMap<>();

    /// Open function, or null between functions.
    private FunctionBuilder function;

    /// Open constant bank, or null while statements are code.
    private DataBuilder data;

    private int architecture = 20;
    private ElfClass width = ElfClass.ELF64;

    ModuleBuilder(String file, List<AssemblyError> errors) {
        this.file = file;
        this.errors = errors;
    }

    void statement(Tokens tokens) {
        while (tokens.peek().kind() == Token.Kind.NAME && tokens.peekSecond().is(":")) {
            label(tokens.take());
            tokens.take();
        }
        if (tokens.isEnd()) {
            return;
        }
        if (tokens.peek().text().startsWith(".") && tokens.peek().kind() == Token.Kind.NAME) {
            new Directives(this, tokens).run();
            return;
        }
        Token start = tokens.peek();
        Statement statement = Statement.parse(tokens.resolve(scope()));
        if (data != null) {
            throw new SourceException(
                    start,
                    start.quoted() + ": instruction in a constant bank; '.text' returns to code");
        }
        code(start).instruction(statement);
    }

    private void label(Token name) {
        if (data != null) {
            scope().define(name, Value.constant(data.bank(), data.offset()));
            data.label(name.text());
        } else {
            FunctionBuilder target = code(name);
            target.scope().define(name, Value.hex(target.address()));
        }
    }

    /// Returns the names that are visible at this point.
    Scope scope() {
        return function == null ? scope : function.scope();
    }

    DataBuilder data() {
        return data;
    }

    /// Returns the open function; opens a function if the source consists only of code.
    FunctionBuilder code(Token token) {
        if (function == null) {
            if (!functions.isEmpty() || token.text().isEmpty()) {
                throw new SourceException(token, token.quoted() + ": outside of functions");
            }
            open(new Token(Token.Kind.NAME, "", token.line(), token.column()), true);
        }
        return function;
    }

    /// Returns the open function.
    ///
    /// @throws SourceException if no function is open
    FunctionBuilder function(Token directive) {
        if (function == null) {
            throw new SourceException(directive, directive.quoted() + ": outside of functions");
        }
        return function;
    }

    void open(Token name, boolean kernel) {
        for (FunctionBuilder other : functions) {
            if (other.name().text().equals(name.text())) {
                throw new SourceException(name, name.quoted() + ": defined twice");
            }
        }
        function = new FunctionBuilder(name, kernel, scope);
        functions.add(function);
        data = null;
    }

    void close() {
        function = null;
        data = null;
    }

    void text() {
        data = null;
    }

    /// Opens a constant bank of the open function, or of the module.
    void constants(Token directive, int bank) {
        if (function != null && bank == ConstantSection.DRIVER) {
            throw new SourceException(
                    directive,
                    directive.quoted()
                            + ": bank 0 cannot be initialized, because each launch writes it; declare parameters with '.param'");
        }
        data =
                function == null
                        ? banks.computeIfAbsent(bank, DataBuilder::new)
                        : function.bank(bank);
    }

    void architecture(int number) {
        architecture = number;
    }

    void width(ElfClass wanted) {
        width = wanted;
    }

    /// Returns the module, or null if there are errors.
    Cubin cubin() {
        List<long[]> words = new ArrayList<>();
        for (FunctionBuilder one : functions) {
            words.add(one.words(file, errors));
            if (one.name().text().isEmpty()) {
                String message = "code: expected '.kernel NAME' before the code";
                errors.add(new SourceException(one.name(), message).error(file));
            }
        }
        if (!errors.isEmpty()) {
            return null;
        }
        List<CubinFunction> built = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            built.add(functions.get(i).build(words.get(i)));
        }
        return new Cubin(
                architecture,
                architecture,
                width,
                built,
                banks.values().stream().map(DataBuilder::build).toList(),
                0,
                NOTHING,
                1,
                symbols(),
                List.of());
    }

    /// Returns the words of the only function.
    long[] code() {
        if (functions.size() != 1) {
            if (!errors.isEmpty()) {
                return new long[0];
            }
            errors.add(
                    new AssemblyError(
                            file,
                            1,
                            1,
                            "functions=" + functions.size() + ", expected=1 for raw code"));
            return new long[0];
        }
        return functions.getFirst().words(file, errors);
    }

    /// Returns the variables of the banks that all functions share. Each name starts a variable,
    /// which ends at the next name.
    private List<DataSymbol> symbols() {
        List<DataSymbol> symbols = new ArrayList<>();
        for (DataBuilder bank : banks.values()) {
            List<DataBuilder.Label> labels = bank.labels();
            for (int i = 0; i < labels.size(); i++) {
                int start = labels.get(i).offset();
                int end = i + 1 < labels.size() ? labels.get(i + 1).offset() : bank.offset();
                symbols.add(
                        new DataSymbol(
                                labels.get(i).name(),
                                DataSymbol.Space.CONSTANT,
                                bank.bank(),
                                start,
                                end - start));
            }
        }
        return symbols;
    }
}
