package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.TextureSlot;
import java.util.ArrayList;
import java.util.List;

/// Executes a directive.
final class Directives {
    private static final int MAX_ALIGNMENT = 4096;

    /// Instruction that pads code.
    private static final String PADDING = "NOP CC.T";

    private static final Token END = new Token(Token.Kind.END, "", 0, 0);

    private final ModuleBuilder module;
    private final Tokens tokens;
    private Token directive;

    Directives(ModuleBuilder module, Tokens tokens) {
        this.module = module;
        this.tokens = tokens;
    }

    void run() {
        directive = tokens.take();
        switch (directive.text()) {
            case ".arch" -> architecture();
            case ".width" -> width();
            case ".equ" -> constant();
            case ".alias" -> alias();
            case ".kernel" -> module.open(name(), true);
            case ".function" -> module.open(name(), false);
            case ".end" -> {
                module.function(directive);
                module.close();
            }
            case ".constant" ->
                    module.constants(directive, number("a bank", 0, ConstantSection.BANKS - 1));
            case ".text" -> {
                module.function(directive);
                module.text();
            }
            case ".param" -> parameter();
            case ".texture" -> texture();
            case ".shared" -> memory(true);
            case ".local" -> memory(false);
            case ".stack" -> stack();
            case ".registers" ->
                    function().registers(directive, number("registers", 0, Integer.MAX_VALUE));
            case ".barriers" ->
                    function().barriers(directive, number("barriers", 0, Integer.MAX_VALUE));
            case ".word" -> words();
            case ".align" -> align();
            case ".byte" -> integers(Byte.BYTES);
            case ".short" -> integers(Short.BYTES);
            case ".long" -> integers(Integer.BYTES);
            case ".quad" -> integers(Long.BYTES);
            case ".float" -> floats();
            case ".double" -> doubles();
            case ".space" -> data().space(directive, number("bytes", 0, ConstantSection.BYTES));
            default -> throw SourceException.expected(directive, "a directive");
        }
        tokens.expectEnd();
    }

    private FunctionBuilder function() {
        return module.function(directive);
    }

    private DataBuilder data() {
        if (module.data() == null) {
            throw new SourceException(
                    directive, directive.quoted() + ": valid only after '.constant BANK'");
        }
        return module.data();
    }

    private Token name() {
        Token token = tokens.take();
        boolean named = token.kind() == Token.Kind.NAME || token.kind() == Token.Kind.STRING;
        if (!named || token.text().isEmpty()) {
            throw SourceException.expected(token, "a name");
        }
        return token;
    }

    private void architecture() {
        Token token = tokens.take();
        switch (token.text()) {
            case "sm_20" -> module.architecture(20);
            case "sm_21" -> module.architecture(21);
            default -> throw SourceException.expected(token, "sm_20 or sm_21");
        }
    }

    private void width() {
        Token token = tokens.take();
        switch (token.text()) {
            case "32" -> module.width(ElfClass.ELF32);
            case "64" -> module.width(ElfClass.ELF64);
            default -> throw SourceException.expected(token, "32 or 64");
        }
    }

    private void constant() {
        Token name = tokens.expectName("a name");
        tokens.expect(",");
        module.scope().define(name, value());
    }

    private void alias() {
        Token name = tokens.expectName("a name");
        tokens.expect(",");
        Token register = module.scope().resolve(tokens.take());
        switch (new ArgumentParser(new Tokens(List.of(register, END))).read()) {
            case Argument.Register(_, _, var signs) when signs.suffix().isEmpty() -> {}
            case Argument.Predicate _ -> {}
            default -> throw SourceException.expected(register, "a register or a predicate");
        }
        module.scope().alias(name, register.text());
    }

    private void parameter() {
        Token name = tokens.expectName("a name");
        tokens.expect(",");
        int bytes = number("bytes", 0, CubinFunction.MAX_PARAMETER_BYTES);
        int offset = -1;
        if (tokens.takeIf(",")) {
            offset = number("an offset", 0, CubinFunction.MAX_PARAMETER_BYTES);
        }
        function().parameter(name, bytes, offset);
    }

    private void texture() {
        Token name = name();
        tokens.expect(",");
        function().texture(name, number("a slot", 0, TextureSlot.MAX_SLOT));
    }

    private void memory(boolean shared) {
        boolean named = tokens.peek().kind() == Token.Kind.NAME && tokens.peekSecond().is(",");
        Token name = directive;
        if (named) {
            name = tokens.take();
            tokens.expect(",");
        }
        int bytes = number("bytes", 0, CubinFunction.MAX_LOCAL_BYTES);
        if (shared) {
            function().shared(name, named, bytes);
        } else {
            function().local(name, named, bytes);
        }
    }

    private void stack() {
        int min = number("bytes", 0, CubinFunction.MAX_LOCAL_BYTES);
        int frame = tokens.takeIf(",") ? number("bytes", 0, CubinFunction.MAX_LOCAL_BYTES) : min;
        int units = tokens.takeIf(",") ? number("units", 0, CubinFunction.MAX_LOCAL_BYTES) : 0;
        function().stack(new CubinFunction.Stack(frame, min, units));
    }

    private void words() {
        if (module.data() != null) {
            throw new SourceException(
                    directive,
                    directive.quoted() + ": valid only in code; '.long' writes 32 bits to a bank");
        }
        do {
            Token token = tokens.peek();
            module.code(directive).word(token, integer());
        } while (tokens.takeIf(","));
    }

    private void align() {
        int alignment = number("bytes", 1, MAX_ALIGNMENT);
        if (Integer.bitCount(alignment) != 1) {
            throw new SourceException(
                    directive,
                    directive.quoted() + ": bytes=" + alignment + ", expected a power of two");
        }
        if (module.data() != null) {
            module.data().space(directive, -module.data().offset() & alignment - 1);
            return;
        }
        FunctionBuilder code = module.code(directive);
        while ((code.address() & alignment - 1) != 0) {
            code.instruction(padding());
        }
    }

    private static Statement padding() {
        return Statement.parse(
                new Tokens(new Lexer("", PADDING, new ArrayList<>()).statements().getFirst()));
    }

    private void integers(int bytes) {
        DataBuilder data = data();
        do {
            Token token = tokens.peek();
            long value = integer();
            int spare = Long.SIZE - bytes * Byte.SIZE;
            boolean fits = value << spare >> spare == value || value << spare >>> spare == value;
            if (!fits) {
                throw SourceException.expected(token, "a number of " + bytes * Byte.SIZE + " bits");
            }
            data.put(token, value, bytes);
        } while (tokens.takeIf(","));
    }

    private void floats() {
        DataBuilder data = data();
        do {
            Token token = tokens.peek();
            data.put(token, value().floatBits(), Float.BYTES);
        } while (tokens.takeIf(","));
    }

    private void doubles() {
        DataBuilder data = data();
        do {
            Token token = tokens.peek();
            data.put(token, value().doubleBits(), Double.BYTES);
        } while (tokens.takeIf(","));
    }

    private Value value() {
        return tokens.expression().evaluate(module.scope()::find);
    }

    private long integer() {
        Expression expression = tokens.expression();
        Value value = expression.evaluate(module.scope()::find);
        if (value.isReal()) {
            throw SourceException.expected(expression.token(), "a whole number");
        }
        return value.whole();
    }

    private int number(String what, int atLeast, int atMost) {
        Token token = tokens.peek();
        long value = integer();
        if (value < atLeast || value > atMost) {
            throw SourceException.expected(token, what + ", " + atLeast + " to " + atMost);
        }
        return (int) value;
    }
}
