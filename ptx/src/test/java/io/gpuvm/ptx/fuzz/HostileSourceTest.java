package io.gpuvm.ptx.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.check.FormSamples;
import io.gpuvm.ptx.check.PtxChecker;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.generator.ProgramWriter;
import io.gpuvm.ptx.syntax.Diagnostic;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests with wrong sources: each gives diagnostics, no exception, and memory and time proportional
/// to its length.
class HostileSourceTest {
    private static final int SOURCES = 4_000;
    private static final int MANY_SOURCES = 100_000;

    /// Of so many sources, one is compiled if it is valid.
    private static final int COMPILED = 8;

    /// Bound of the memory that a check allocates: fixed costs, and bytes for each character.
    private static final long BASE_BYTES = 4 << 20;

    private static final long BYTES_PER_CHARACTER = 1_000;

    @Test
    void givenMutatedAndRandomSources_whenCompiled_thenResultIsModuleOrDiagnostics() {
        check(SOURCES, 1);
    }

    @Test
    @Tag("long")
    void givenManyMutatedAndRandomSources_whenCompiled_thenResultIsModuleOrDiagnostics() {
        check(MANY_SOURCES, 2);
    }

    private static void check(int count, long seed) {
        SourceMutator mutator = new SourceMutator(originals(), seed);
        int errors = 0;
        for (int i = 0; i < count; i++) {
            String source = i % 4 == 3 ? mutator.noise() : mutator.next();
            try {
                boolean isValid = check(source);
                errors += isValid ? 0 : 1;
                if (isValid && i % COMPILED == 0) {
                    compile(source);
                }
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed=" + seed + ", source " + i + ":\n" + source, e);
            }
        }
        assertTrue(errors > count / 3 && errors < count, "errors=" + errors);
    }

    private static List<String> originals() {
        List<String> originals = new ArrayList<>(ClangSources.all());
        for (int seed = 0; seed < 20; seed++) {
            originals.add(ProgramWriter.write(seed, 8).source());
            originals.add(ProgramWriter.writeForNewerTarget(seed, 8).source());
        }
        List<String> samples = FormSamples.all();
        for (int i = 0; i < samples.size(); i += 25) {
            originals.add(FormSamples.source(samples.get(i)));
        }
        originals.add(
                Sources.FERMI
                        + """
                        .visible .global .align 8 .u64 a[4] = {generic(b)+4, 0xFF00(b), 5, 1<<3};
                        .global .v4 .f32 b[2] = {{1.0, 0f3F800000}, {0d3FF0000000000000}};
                        .func (.param .align 8 .b8 r[16]) f(.param .b32 x, .param .b64 y)
                        { C: .calltargets f; P: .callprototype (.param .b32 _) _ (.reg .f32 _); }
                        .entry k(.param .u64 .ptr .global .align 8 p) .maxntid 32, 2, 1
                        { T: .branchtargets L, L; { .reg .v2 .u32 v; } L: ret; }
                        """);
        return originals;
    }

    /// Returns whether a source is valid.
    private static boolean check(String source) {
        ErrorList errors = new ErrorList(SyntaxLimits.DEFAULT.errors());
        ModuleTree tree = PtxParser.parse(source, errors, SyntaxLimits.DEFAULT);
        PtxModule module =
                errors.hasErrors() ? null : PtxChecker.check(tree, errors, CheckOptions.DEFAULT);
        int lines = (int) source.chars().filter(c -> c == '\n').count() + 1;
        for (Diagnostic diagnostic : errors.list()) {
            assertTrue(
                    diagnostic.line() >= 1 && diagnostic.line() <= lines,
                    () -> diagnostic + "\n" + source);
            assertTrue(diagnostic.column() >= 1, diagnostic::toString);
            assertTrue(diagnostic.message().length() < 700, diagnostic::toString);
        }
        assertTrue(module != null != errors.hasErrors(), source);
        return module != null;
    }

    private static void compile(String source) {
        PtxResult compiled = PtxCompiler.compile(source, PtxOptions.DEFAULT);
        assertTrue(
                compiled.isCompiled()
                        == compiled.diagnostics().stream().noneMatch(Diagnostic::isError),
                source);
    }

    @Test
    void givenSourcesThatAskForMuch_whenChecked_thenMemoryIsProportionalToLength() {
        List<IntFunction<String>> sources =
                List.of(
                        n -> ".reg .b32 %r<2000000000>;\n".repeat(n),
                        n -> "{".repeat(n),
                        n -> "L: { ".repeat(n),
                        n -> "add.u32 ".repeat(n),
                        n -> "a".repeat(n) + ": ",
                        n -> "mov.u32 " + "9".repeat(n) + ", 1;",
                        n -> "mov.u32 a" + "1".repeat(n) + ", 1;",
                        n -> "mov.u32 a, " + "1+".repeat(n) + "1;",
                        n -> "mov.u32 a, " + "(".repeat(n) + "1;",
                        n -> "mov.u32 a, " + "!".repeat(n) + "1;",
                        n -> "mov.u32 a, " + "1?".repeat(n) + "1;",
                        n -> "mov.u32 {" + "a,".repeat(n) + "a}, 1;",
                        n -> "call (" + "a,".repeat(n) + "a), f;",
                        n -> "T: .branchtargets " + "L,".repeat(n) + "L;",
                        n -> "x.a".repeat(n) + " a;",
                        n -> ".shared .b8 x[1000000];\n".repeat(n),
                        n -> ".global .b8 x[1000000000] = {{}};\n".repeat(n),
                        n -> ".local .b8 x" + "[1]".repeat(n) + ";",
                        n -> ".pragma \"" + "\\".repeat(n) + "\";",
                        n -> "/*" + "*".repeat(n),
                        n -> "\0".repeat(n),
                        n -> "\u00e9\n".repeat(n),
                        n -> "ret; }\n" + redeclarations(n) + "\n.func g() {");
        for (IntFunction<String> source : sources) {
            for (int length : new int[] {1_000, 30_000}) {
                String text = Sources.kernelSource(source.apply(length));
                long before = allocated();
                check(text);
                long bytes = allocated() - before;
                long limit = BASE_BYTES + BYTES_PER_CHARACTER * text.length();
                assertTrue(
                        bytes < limit,
                        "bytes=%d, limit=%d: %s".formatted(bytes, limit, text.substring(0, 200)));
            }
        }
    }

    /// Returns declarations of variables, followed by their definitions.
    private static String redeclarations(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(".extern .global .u32 v").append(i).append(";\n");
        }
        for (int i = 0; i < count; i++) {
            text.append(".global .u32 v").append(i).append(" = 1;\n");
        }
        return text.toString();
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
