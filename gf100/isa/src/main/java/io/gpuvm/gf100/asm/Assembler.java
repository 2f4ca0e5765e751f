package io.gpuvm.gf100.asm;

import io.gpuvm.gf100.cubin.Cubin;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Assembles sources in the language of `docs/assembler.md` into machine code.
///
/// The output of [io.gpuvm.gf100.isa.Disassembler] for a word assembles to that word.
public final class Assembler {
    private Assembler() {}

    /// Assembles a source that contains kernels.
    ///
    /// @param file name of the source in errors
    /// @throws AssemblyException if the source contains errors; the exception contains all of them
    public static Cubin assemble(String file, String source) {
        List<AssemblyError> errors = new ArrayList<>();
        Cubin cubin = build(file, source, errors).cubin();
        throwIfAny(errors);
        return cubin;
    }

    /// Returns the words of a source that consists only of code; a `.kernel` around the code is
    /// allowed.
    ///
    /// @param file name of the source in errors
    /// @throws AssemblyException if the source contains errors; the exception contains all of them
    public static long[] code(String file, String source) {
        List<AssemblyError> errors = new ArrayList<>();
        long[] words = build(file, source, errors).code();
        throwIfAny(errors);
        return words;
    }

    private static ModuleBuilder build(String file, String source, List<AssemblyError> errors) {
        List<List<Token>> statements = new Lexer(file, source, errors).statements();
        ModuleBuilder module = new ModuleBuilder(file, errors);
        for (List<Token> statement : statements) {
            try {
                module.statement(new Tokens(statement));
            } catch (SourceException e) {
                errors.add(e.error(file));
            }
        }
        return module;
    }

    private static void throwIfAny(List<AssemblyError> errors) {
        if (!errors.isEmpty()) {
            errors.sort(
                    Comparator.comparingInt(AssemblyError::line)
                            .thenComparingInt(AssemblyError::column));
            throw new AssemblyException(errors);
        }
    }
}
