package io.gpuvm.ptx.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.gpuvm.ptx.syntax.Diagnostic;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.ModuleTree;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.util.List;

/// Sources of tests, and their checks.
public final class Sources {
    /// First lines of a module that may use all instructions of the table.
    public static final String NEWEST = ".version 8.5\n.target sm_90\n.address_size 64\n";

    /// First lines of a module for Fermi.
    public static final String FERMI = ".version 4.3\n.target sm_20\n.address_size 64\n";

    private Sources() {}

    /// Returns the checked module of a source without errors.
    public static PtxModule module(String source) {
        ErrorList errors = new ErrorList(10);
        PtxModule module = check(source, errors);
        assertEquals(
                List.of(), errors.list().stream().filter(Diagnostic::isError).toList(), source);
        assertNotNull(module);
        return module;
    }

    /// Returns the diagnostics of a source, in the form `line:column: message`.
    public static List<String> diagnostics(String source) {
        ErrorList errors = new ErrorList(100);
        check(source, errors);
        return errors.list().stream()
                .map(found -> found.line() + ":" + found.column() + ": " + found.message())
                .toList();
    }

    /// Returns the only function of a Fermi module with a kernel whose body is a text.
    public static PtxFunction kernel(String body) {
        return module(kernelSource(body)).functions().getLast();
    }

    /// Returns the source of a module with a kernel; its body begins in line 5, column 1.
    public static String kernelSource(String body) {
        return FERMI + ".visible .entry k(.param .u64 p, .param .u32 n) {\n" + body + "\n}\n";
    }

    private static PtxModule check(String source, ErrorList errors) {
        ModuleTree tree = PtxParser.parse(source, errors, SyntaxLimits.DEFAULT);
        return errors.hasErrors() ? null : PtxChecker.check(tree, errors, CheckOptions.DEFAULT);
    }
}
