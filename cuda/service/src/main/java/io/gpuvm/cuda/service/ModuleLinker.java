package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.LinkRequest;
import io.gpuvm.cuda.protocol.LinkResponse;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.ModuleContent;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxLimits;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxReport;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.syntax.Diagnostic;
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
    private static final byte[] NO_CUBIN = new byte[0];

    private final LinkRequest request;
    private final List<ModuleContent> contents;

    private ModuleLinker(LinkRequest request, List<ModuleContent> contents) {
        this.request = request;
        this.contents = contents;
    }

    /// Reads the modules of a request.
    ///
    /// @throws CudaCallException if an input is no module
    static ModuleLinker of(LinkRequest request) {
        List<ModuleContent> contents = new ArrayList<>();
        for (LinkRequest.Input input : request.inputs()) {
            try {
                contents.add(ModuleContent.of(input.image()));
            } catch (CubinException e) {
                throw new CudaCallException(ResultMapping.of(e), e.getMessage());
            }
        }
        return new ModuleLinker(request, contents);
    }

    /// Returns the number of characters of the sources.
    long characters() {
        long count = 0;
        for (ModuleContent content : contents) {
            count += content instanceof ModuleContent.Ptx(String text) ? text.length() : 0;
        }
        return count;
    }

    /// Compiles and links the modules.
    ///
    /// @param isUnwanted returns whether the result is no longer wanted
    Linked link(BooleanSupplier isUnwanted) {
        long start = System.nanoTime();
        if (contents.size() != 1) {
            throw new CudaCallException(
                    CudaResult.NOT_SUPPORTED, "inputs=%d, limit=1".formatted(contents.size()));
        }
        return switch (contents.getFirst()) {
            case ModuleContent.Code(byte[] elf) ->
                    new Linked(CudaResult.SUCCESS, response(elf, "", "", start));
            case ModuleContent.Ptx(String text) -> compile(text, isUnwanted, start);
        };
    }

    private Linked compile(String text, BooleanSupplier isUnwanted, long start) {
        PtxResult compiled =
                PtxCompiler.compile(text, options(), PtxLimits.GUEST, isUnwanted);
        String name = request.inputs().getFirst().name();
        String errors = messages(compiled, name, Diagnostic::isError);
        List<String> messages = new ArrayList<>();
        messages.add(messages(compiled, name, each -> !each.isError()));
        if (!compiled.isCompiled()) {
            return new Linked(
                    ResultMapping.of(compiled.failure()),
                    response(NO_CUBIN, messages.getFirst(), errors, start));
        }
        if (request.isVerbose()) {
            PtxReport.of(compiled, GPU).forEach(line -> messages.add(line + "\n"));
        }
        return new Linked(
                CudaResult.SUCCESS,
                response(compiled.cubin().toBytes(), String.join("", messages), errors, start));
    }

    private PtxOptions options() {
        PtxOptions options = PtxOptions.DEFAULT;
        if (request.maxRegisters() > 0) {
            options = options.withNearestRegisters(request.maxRegisters());
        }
        return request.optimization() == 0 ? options.withoutOptimization() : options;
    }

    private static String messages(PtxResult result, String name, Predicate<Diagnostic> wanted) {
        return result.diagnostics().stream()
                .filter(wanted)
                .map(each -> each.in(name) + "\n")
                .collect(Collectors.joining());
    }

    private static LinkResponse response(byte[] cubin, String messages, String errors, long start) {
        return new LinkResponse(cubin, messages, errors, System.nanoTime() - start);
    }
}
