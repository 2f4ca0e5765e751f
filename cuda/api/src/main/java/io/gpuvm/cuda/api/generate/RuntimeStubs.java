package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.RuntimeFunction;
import io.gpuvm.cuda.api.table.RuntimeName;
import io.gpuvm.cuda.api.table.RuntimeParameter;
import java.util.ArrayList;
import java.util.List;

/// Generator of the exported functions of the runtime API: they prepare the call, check required
/// pointers, call the part by hand and record its error.
final class RuntimeStubs implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.runtimeC());
        text.line("#include \"gpuvm_runtime_api.h\"").blank();
        for (RuntimeFunction function : table.runtime().functions()) {
            if (function.hasStub()) {
                RuntimeName name = function.name();
                stub(text, function, name.symbol(), "cudaStreamLegacy");
                if (name.hasTwin()) {
                    stub(text, function, name.twinSymbol(), "cudaStreamPerThread");
                }
            }
        }
        return text.toString();
    }

    private static void stub(
            SourceText text, RuntimeFunction function, String symbol, String defaultStream) {
        String exported = RuntimeSignatures.exported(function, symbol);
        text.line("GPUVM_EXPORT " + exported + ";");
        text.line(exported).open("{");
        text.line("cudaError_t outcome = " + preparation(function) + ";");
        for (RuntimeParameter parameter : function.parameters()) {
            if (parameter.isRequired()) {
                text.open("if (outcome == cudaSuccess && %s == NULL)".formatted(parameter.name()));
                text.line("outcome = cudaErrorInvalidValue;").dedent();
            }
        }
        text.open("if (outcome == cudaSuccess)");
        text.format(
                "outcome = %s(%s);",
                RuntimeSignatures.byHandName(function), arguments(function, defaultStream));
        text.dedent();
        text.line("return gpuvm_runtime_leave(outcome);").close("}").blank();
    }

    private static String preparation(RuntimeFunction function) {
        return switch (function.runtimeClass()) {
            case DRIVER -> "gpuvm_runtime_enter_driver()";
            case CONTEXT -> "gpuvm_runtime_enter_context()";
            case LOCAL, EXACT -> "cudaSuccess";
        };
    }

    private static String arguments(RuntimeFunction function, String defaultStream) {
        boolean hasTwin = function.name().hasTwin();
        List<String> arguments = new ArrayList<>();
        for (RuntimeParameter parameter : function.parameters()) {
            String name = parameter.name();
            arguments.add(
                    hasTwin && parameter.isStream()
                            ? "%s != NULL ? %s : %s".formatted(name, name, defaultStream)
                            : name);
        }
        if (function.takesDefaultStream()) {
            arguments.add(defaultStream);
        }
        return String.join(", ", arguments);
    }
}
