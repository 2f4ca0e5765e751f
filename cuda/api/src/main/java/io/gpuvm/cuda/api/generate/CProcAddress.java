package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiTable;
import io.gpuvm.cuda.api.table.ProcAddressTable;

/// Generator of the C source with the table of `cuGetProcAddress` and its search.
final class CProcAddress implements Generator {
    private static final String SEARCH =
            """
            /* First entry of a name, or the end of the table. */
            static size_t first_entry(const char *name)
            {
                size_t low = 0;
                size_t high = sizeof entries / sizeof entries[0];
                while (low < high) {
                    size_t middle = low + (high - low) / 2;
                    if (strcmp(entries[middle].name, name) < 0)
                        low = middle + 1;
                    else
                        high = middle;
                }
                return low;
            }

            CUresult gpuvm_find_symbol
                (const char *name, int version, uint64_t flags, void **function,
                 CUdriverProcAddressQueryResult *symbolStatus)
            {
                int is_per_thread = (flags & GPUVM_PROC_PER_THREAD) != 0;
                size_t end = sizeof entries / sizeof entries[0];
                CUdriverProcAddressQueryResult found = GPUVM_PROC_NOT_FOUND;
                void *symbol = NULL;
                for (size_t i = first_entry(name);
                     i < end && symbol == NULL && strcmp(entries[i].name, name) == 0; i++) {
                    found = GPUVM_PROC_TOO_OLD;
                    if (entries[i].since <= version && (is_per_thread || !entries[i].is_per_thread))
                        symbol = entries[i].symbol;
                }
                *function = symbol;
                if (symbolStatus != NULL)
                    *symbolStatus = symbol != NULL ? GPUVM_PROC_FOUND : found;
                return symbol != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
            }
            """;

    @Override
    public String generate(ApiTable table) {
        SourceText text = new SourceText();
        text.line(Notices.c());
        text.line("#include <string.h>").blank();
        text.line("#include \"gpuvm_cuda_api.h\"").blank();
        text.line("/* By name, then youngest first. */");
        text.open("static const struct {");
        text.line("const char *name;").line("int since;").line("int is_per_thread;");
        text.line("void *symbol;");
        text.dedent().open("} entries[] = {");
        for (ProcAddressTable.Entry entry : ProcAddressTable.of(table).entries()) {
            text.format(
                    "{\"%s\", %d, %d, (void *)%s},",
                    entry.name(), entry.since(), entry.isPerThread() ? 1 : 0, entry.symbol());
        }
        text.close("};").blank();
        return text.raw(SEARCH).toString();
    }
}
