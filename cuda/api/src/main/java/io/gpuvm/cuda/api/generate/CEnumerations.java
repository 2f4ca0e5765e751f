package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiAttribute;
import io.gpuvm.cuda.api.table.ApiStatus;
import io.gpuvm.cuda.api.table.ApiTable;

/// Enumerations of the API in C.
final class CEnumerations {
    private CEnumerations() {}

    /// Writes `CUresult`.
    ///
    /// @param tag tag of the enumeration, or empty
    static void results(SourceText text, ApiTable table, String tag) {
        open(text, tag);
        for (ApiStatus status : table.statuses()) {
            text.format("%s = %d,", status.name(), status.value());
        }
        text.close("} CUresult;").blank();
    }

    /// Writes `CUdevice_attribute`, in which an attribute may have several names.
    ///
    /// @param tag tag of the enumeration, or empty
    static void attributes(SourceText text, ApiTable table, String tag) {
        open(text, tag);
        for (ApiAttribute attribute : table.attributes()) {
            for (String name : attribute.names()) {
                text.format("%s = %d,", name, attribute.value());
            }
        }
        text.close("} CUdevice_attribute;").blank();
    }

    private static void open(SourceText text, String tag) {
        text.open(tag.isEmpty() ? "typedef enum {" : "typedef enum %s {".formatted(tag));
    }
}
