package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiStatus;
import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of the Java constants of `CUresult`.
final class JavaStatuses implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = JavaSignatures.file();
        text.line("/// Values of CUresult.");
        text.open("public final class CudaStatus {");
        for (ApiStatus status : table.statuses()) {
            text.line("/// " + status.text());
            text.format("public static final int %s = %d;", constant(status), status.value());
            text.blank();
        }
        text.line("private CudaStatus() {}").blank();
        text.line("/// Returns the name of a status, or null if the status is unknown.");
        text.open("public static String nameOf(int status) {").open("return switch (status) {");
        for (ApiStatus status : table.statuses()) {
            text.format("case %s -> \"%s\";", constant(status), status.name());
        }
        text.line("default -> null;").close("};").close("}");
        return text.close("}").toString();
    }

    private static String constant(ApiStatus status) {
        return status.name().replaceFirst("CUDA_(ERROR_)?", "");
    }
}
