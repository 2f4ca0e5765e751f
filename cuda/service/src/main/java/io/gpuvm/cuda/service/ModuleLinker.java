package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.LinkRequest;
import io.gpuvm.cuda.protocol.LinkResponse;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.ModuleContent;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxLimits;
import io.gpuvm.ptx.PtxLinker;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxReport;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.syntax.Diagnostic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Compilation and link of the modules of one request. Confined to the thread of the links.
final class ModuleLinker {
    /// Result of a link.
    ///
    /// @param result result of the call
    /// @param response response, which has no cubin after an error
    record Linked(CudaResult result, LinkResponse response) {}

    private static final String GPU = "sm_20";

    /// Name of the sources of several inputs in messages, which name the input.
    private static final String LINKED = "link";

    /// Number of values for which there must be memory: enough for most kernels.
    private static final int LEAST_VALUES = 1 << 12;

    /// Estimate of the memory of a link, in bytes for each byte of machine code: an attribute of
    /// four bytes is an object of some hundred bytes.
    private static final long BYTES_OF_CODE = 32;

    private static final int MOST_VALUES = 1 << 17;
    private static final Duration MOST_TIME = Duration.ofSeconds(30);
    private static final byte[] NO_CUBIN = new byte[0];

    private final LinkRequest request;
    private final List<ModuleContent> contents;

    private ModuleLinker(LinkRequest request, List<ModuleContent> contents) {
        this.request = request;
        this.contents = contents;
    }

    /// Reads the modules of a request.
    ///
    /// @throws CudaCallException if an input is no module for this GPU
    ///
    /// @param bytes maximum memory of the modules and of the compilation
    static ModuleLinker of(LinkRequest request, long bytes) {
        List<ModuleContent> contents = new ArrayList<>();
        long needed = 0;
        for (LinkRequest.Input input : request.inputs()) {
            try {
                contents.add(ModuleContent.of(input.image()));
                needed += bytesOf(contents.getLast(), request.inputs().size() == 1);
                if (needed > bytes) {
                    throw new CudaCallException(
                            CudaResult.OUT_OF_MEMORY,
                            "%s: bytes of memory=%d, limit=%d, the memory for compilations"
                                    .formatted(input.name(), needed, bytes));
                }
                if (contents.getLast() instanceof ModuleContent.Code(byte[] elf)) {
                    Cubin.read(elf);
                }
            } catch (CubinException e) {
                throw new CudaCallException(
                        ResultMapping.of(e), input.name() + ": " + e.getMessage());
            }
        }
        return new ModuleLinker(request, contents);
    }

    /// Returns the memory that a module needs.
    ///
    /// @param isOnly whether the module is the only one, so that machine code is the result
    private static long bytesOf(ModuleContent content, boolean isOnly) {
        return switch (content) {
            case ModuleContent.Code(byte[] elf) -> isOnly ? 0 : BYTES_OF_CODE * elf.length;
            case ModuleContent.Ptx(String text) ->
                    (long) PtxLimits.BYTES_OF_CHARACTER * text.length();
        };
    }

    /// Compiles and links the modules.
    ///
    /// @param bytes maximum memory of the compilation
    /// @param isUnwanted returns whether the result is no longer wanted
    /// @throws CudaCallException if the sources need more memory
    Linked link(long bytes, BooleanSupplier isUnwanted) {
        long start = System.nanoTime();
        if (contents.size() == 1 && contents.getFirst() instanceof ModuleContent.Code(byte[] elf)) {
            return new Linked(CudaResult.SUCCESS, response(elf, "", "", start));
        }
        PtxLimits limits = limits(bytes - codeBytes(), characters());
        return response(
                contents.size() == 1
                        ? compile((ModuleContent.Ptx) contents.getFirst(), limits, isUnwanted)
                        : linkAll(limits, isUnwanted),
                start);
    }

    private PtxResult compile(
            ModuleContent.Ptx source, PtxLimits limits, BooleanSupplier isUnwanted) {
        return PtxCompiler.compile(source.text(), options(), limits, isUnwanted);
    }

    private PtxResult linkAll(PtxLimits limits, BooleanSupplier isUnwanted) {
        PtxLinker linker = new PtxLinker(options(), limits, isUnwanted);
        for (int i = 0; i < contents.size(); i++) {
            linker.add(
                    request.inputs().get(i).name(),
                    switch (contents.get(i)) {
                        case ModuleContent.Code(byte[] elf) -> elf;
                        case ModuleContent.Ptx(String text) ->
                                text.getBytes(StandardCharsets.UTF_8);
                    });
        }
        return linker.complete();
    }

    private long characters() {
        long count = 0;
        for (ModuleContent content : contents) {
            count += content instanceof ModuleContent.Ptx(String text) ? text.length() : 0;
        }
        return count;
    }

    /// Returns the memory of machine code that is linked.
    private long codeBytes() {
        long bytes = 0;
        for (ModuleContent content : contents) {
            bytes += content instanceof ModuleContent.Code ? bytesOf(content, false) : 0;
        }
        return bytes;
    }

    /// Returns the limits of a compilation of so many characters.
    private static PtxLimits limits(long bytes, long characters) {
        long values =
                (bytes - PtxLimits.BYTES_OF_COMPILER - characters * PtxLimits.BYTES_OF_CHARACTER)
                        / PtxLimits.BYTES_OF_VALUE;
        if (values < LEAST_VALUES) {
            long most =
                    (bytes
                                    - PtxLimits.BYTES_OF_COMPILER
                                    - (long) LEAST_VALUES * PtxLimits.BYTES_OF_VALUE)
                            / PtxLimits.BYTES_OF_CHARACTER;
            throw new CudaCallException(
                    CudaResult.OUT_OF_MEMORY,
                    "PTX: characters=%d, limit=%d, the memory for compilations"
                            .formatted(characters, Math.max(0, most)));
        }
        return new PtxLimits((int) characters, (int) Math.min(values, MOST_VALUES), MOST_TIME);
    }

    private Linked response(PtxResult linked, long start) {
        String errors = messages(linked, Diagnostic::isError);
        List<String> messages = new ArrayList<>();
        messages.add(messages(linked, each -> !each.isError()));
        if (!linked.isCompiled()) {
            return new Linked(
                    ResultMapping.of(linked.failure()),
                    response(NO_CUBIN, messages.getFirst(), errors, start));
        }
        if (request.isVerbose()) {
            PtxReport.of(linked, GPU).forEach(line -> messages.add(line + "\n"));
        }
        return new Linked(
                CudaResult.SUCCESS,
                response(linked.cubin().toBytes(), String.join("", messages), errors, start));
    }

    private PtxOptions options() {
        PtxOptions options = PtxOptions.DEFAULT;
        if (request.maxRegisters() > 0) {
            options = options.withNearestRegisters(request.maxRegisters());
        }
        return request.optimization() == 0 ? options.withoutOptimization() : options;
    }

    /// Returns the messages of a kind, a line each. The linker's begin with the names of inputs.
    private String messages(PtxResult result, Predicate<Diagnostic> wanted) {
        String name = contents.size() == 1 ? request.inputs().getFirst().name() : LINKED;
        return result.diagnostics().stream()
                .filter(wanted)
                .map(each -> each.in(name) + "\n")
                .collect(Collectors.joining());
    }

    private static LinkResponse response(byte[] cubin, String messages, String errors, long start) {
        return new LinkResponse(cubin, messages, errors, System.nanoTime() - start);
    }
}
