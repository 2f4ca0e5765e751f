package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.ptx.syntax.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Linker of PTX modules and cubins to one module, as the functions `cuLinkCreate`,
/// `cuLinkAddData`, `cuLinkAddFile` and `cuLinkComplete` of the CUDA driver API need it. Confined to
/// one thread.
///
/// ```java
/// PtxLinker linker = new PtxLinker(PtxOptions.DEFAULT);
/// linker.add("a.ptx", bytesOfA);
/// linker.add("b.ptx", bytesOfB);
/// PtxResult result = linker.complete();
/// ```
///
/// The message of each diagnostic begins with the name of its input and a colon; line and column
/// are those of that input, or 1 and 1 if the diagnostic has no position.
public final class PtxLinker {
    /// Maximum number of inputs.
    public static final int MAX_INPUTS = 1 << 10;

    private record Input(String name, byte[] bytes) {}

    private final PtxOptions options;
    private final List<Input> inputs = new ArrayList<>();

    /// @param options options of the compilation of all PTX modules
    public PtxLinker(PtxOptions options) {
        this.options = options;
    }

    /// Adds an input: PTX, a cubin or a fatbin with a cubin for sm_20 or sm_21. Zeros at the end of
    /// PTX have no effect. Errors of the input are diagnostics of [#complete()].
    ///
    /// @param name name in messages
    /// @param bytes contents, which are copied
    /// @throws IllegalStateException if the linker has [#MAX_INPUTS] inputs
    public void add(String name, byte[] bytes) {
        if (inputs.size() == MAX_INPUTS) {
            throw new IllegalStateException(
                    "inputs=%d, limit=%d".formatted(MAX_INPUTS + 1, MAX_INPUTS));
        }
        inputs.add(new Input(name, bytes.clone()));
    }

    /// Compiles and links all inputs. The linker may get further inputs afterwards.
    ///
    /// @return module without unresolved names, or diagnostics
    public PtxResult complete() {
        if (inputs.size() != 1) {
            return failure(
                    new Diagnostic(
                            1,
                            1,
                            Diagnostic.Severity.ERROR,
                            "linker: inputs=%d, expected=1".formatted(inputs.size())));
        }
        Input only = inputs.getFirst();
        if (!Cubin.isOne(only.bytes)) {
            PtxResult result = PtxCompiler.compile(text(only.bytes), options);
            return new PtxResult(
                    result.cubin(),
                    result.functions(),
                    result.diagnostics().stream().map(found -> named(only.name, found)).toList());
        }
        try {
            return new PtxResult(Cubin.read(only.bytes), List.of(), List.of());
        } catch (CubinException e) {
            Diagnostic error =
                    new Diagnostic(1, 1, Diagnostic.Severity.ERROR, String.valueOf(e.getMessage()));
            return failure(named(only.name, error));
        }
    }

    private static PtxResult failure(Diagnostic error) {
        return new PtxResult(null, List.of(), List.of(error));
    }

    private static Diagnostic named(String input, Diagnostic found) {
        return new Diagnostic(
                found.line(), found.column(), found.severity(), input + ": " + found.message());
    }

    private static String text(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
