package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.CheckOptions;
import io.gpuvm.ptx.check.PtxChecker;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.PtxParser;
import io.gpuvm.ptx.syntax.SyntaxLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Functions that CUDA's device code calls and every program finds: modules of PTX that this
/// compiler adds to a program which uses their names without a definition. Any thread.
final class Builtins {
    /// Names of functions, and of the resources with their source.
    private static final Map<String, String> SOURCES =
            Map.of(
                    "vprintf", "vprintf",
                    "__assertfail", "__assertfail",
                    "malloc", "malloc",
                    "free", "malloc");

    private static final String HEADER = ".version 4.3\n.target sm_20\n.address_size PTR\n";

    /// Modules by source and width of addresses; at most two for each source.
    private static final Map<String, PtxModule> MODULES = new ConcurrentHashMap<>();

    private Builtins() {}

    static boolean isOne(String name) {
        return SOURCES.containsKey(name);
    }

    /// Returns the modules with functions.
    ///
    /// @param names names of the functions
    /// @param addressBits width of addresses: 32 or 64
    static List<SourceUnit> units(Collection<String> names, int addressBits) {
        return names.stream()
                .map(SOURCES::get)
                .distinct()
                .map(name -> unit(name, addressBits))
                .toList();
    }

    private static SourceUnit unit(String name, int addressBits) {
        PtxModule module =
                MODULES.computeIfAbsent(name + addressBits, _ -> module(name, addressBits));
        return new SourceUnit(name, module, new ErrorList(1));
    }

    private static PtxModule module(String name, int addressBits) {
        String source =
                (HEADER + text(name + ".ptx"))
                        .replace("PTR", Integer.toString(addressBits))
                        .replaceAll("\\bLONG\\b", Integer.toString(addressBits / Byte.SIZE));
        ErrorList errors = new ErrorList(1);
        PtxModule module =
                PtxChecker.check(
                        PtxParser.parse(source, errors, SyntaxLimits.DEFAULT),
                        errors,
                        CheckOptions.DEFAULT);
        if (module == null) {
            throw new IllegalStateException(name + ": " + errors.list());
        }
        return module;
    }

    private static String text(String resource) {
        try (InputStream stream = Builtins.class.getResourceAsStream(resource)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
