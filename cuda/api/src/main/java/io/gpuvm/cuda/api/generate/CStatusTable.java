package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiStatus;
import io.gpuvm.cuda.api.table.ApiTable;
import java.util.function.Function;

/// Generator of the C source with names and texts of `CUresult`. The strings live as long as the
/// library.
final class CStatusTable implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#include \"gpuvm_calls.h\"").blank();
        function(text, table, "gpuvm_status_name", ApiStatus::name);
        function(text, table, "gpuvm_status_text", ApiStatus::text);
        return text.toString();
    }

    private static void function(
            SourceText text, ApiTable table, String name, Function<ApiStatus, String> value) {
        text.format("const char *%s(CUresult status)", name).open("{");
        text.line("switch (status) {");
        for (ApiStatus status : table.statuses()) {
            text.open("case %s:".formatted(status.name()));
            text.format("return \"%s\";", value.apply(status).replace("\"", "\\\""));
            text.dedent();
        }
        text.line("}");
        text.line("return NULL;");
        text.close("}").blank();
    }
}
