package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiFunction;
import io.gpuvm.cuda.api.table.ApiTable;

/// C source of a core that prints each call instead of sending it: one line with the tag, the six
/// operand words and the arguments, in hexadecimal. Result `i` of each call is 0x100 + i. Parts by
/// hand answer `CUDA_ERROR_UNKNOWN`, and print their name and the default stream.
final class FakeCore {
    static final String FILE = "fake_core.c";

    /// Offset of the arguments that each spilled call gets.
    static final long ARGUMENT_OFFSET = 0x5000;

    private static final String CORE =
            """
            #include <stdio.h>
            #include "gpuvm_cuda_api.h"

            static uint64_t operands[GPUVM_ENTRY_WORDS];
            static uint64_t arguments[GPUVM_MAX_ARGUMENT_BYTES / 8];
            static uint32_t tag;
            static size_t argument_words;

            CUresult gpuvm_enter(uint32_t opcode) { (void)opcode; return CUDA_SUCCESS; }
            CUresult gpuvm_enter_anytime(uint32_t opcode) { (void)opcode; return CUDA_SUCCESS; }
            CUresult gpuvm_leave(uint32_t opcode, CUresult status) { (void)opcode; return status; }

            CUresult gpuvm_unsupported(const char *symbol)
            {
                (void)symbol;
                return CUDA_ERROR_NOT_SUPPORTED;
            }

            CUresult gpuvm_begin
                (struct gpuvm_message *message, uint32_t opcode, uint32_t flags, size_t bytes)
            {
                if (bytes > sizeof arguments || bytes % 8 != 0)
                    return CUDA_ERROR_INVALID_VALUE;
                tag = opcode | flags << 16;
                memset(operands, 0, sizeof operands);
                argument_words = bytes / 8;
                memset(arguments, 0xee, bytes);
                message->operands = operands;
                message->arguments = arguments;
                if (flags & GPUVM_SPILLED) {
                    operands[0] = 0x5000;
                    operands[1] = bytes;
                }
                return CUDA_SUCCESS;
            }

            CUresult gpuvm_submit(struct gpuvm_message *message)
            {
                (void)message;
                printf("%08x", tag);
                for (int i = 0; i < GPUVM_ENTRY_WORDS; i++)
                    printf(" %016llx", (unsigned long long)operands[i]);
                for (size_t i = 0; i < argument_words; i++)
                    printf(" %016llx", (unsigned long long)arguments[i]);
                printf("\\n");
                return CUDA_SUCCESS;
            }

            CUresult gpuvm_complete(struct gpuvm_message *message)
            {
                for (int i = 0; i < GPUVM_RESULTS; i++)
                    message->results[i] = 0x100 + i;
                return gpuvm_submit(message);
            }

            static CUresult wire(const void *object, uint64_t *handle)
            {
                *handle = (uint64_t)(uintptr_t)object;
                return object == NULL ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
            }

            CUresult gpuvm_current_context(uint64_t *handle) { *handle = 0xc0; return CUDA_SUCCESS; }
            CUresult gpuvm_wire_context(CUcontext c, uint64_t *handle) { return wire(c, handle); }
            CUresult gpuvm_wire_stream(CUstream s, uint64_t *handle) { return wire(s, handle); }
            CUresult gpuvm_wire_event(CUevent e, uint64_t *handle) { return wire(e, handle); }
            CUresult gpuvm_wire_module(CUmodule m, uint64_t *handle) { return wire(m, handle); }
            CUresult gpuvm_wire_texref(CUtexref t, uint64_t *handle) { return wire(t, handle); }

            """;

    private FakeCore() {}

    /// Returns the source, with a part by hand for each function that needs one.
    static String source(ApiTable table) {
        SourceText text = new SourceText();
        text.raw(CORE);
        for (ApiFunction function : table.cudaFunctions()) {
            if (function.isByHand()) {
                text.line(CSignatures.byHand(function)).open("{");
                function.parameters()
                        .forEach(parameter -> text.format("(void)%s;", parameter.name()));
                String stream = streamOf(function);
                text.format("printf(\"%s %%zx\\n\", (size_t)%s);", function.shortName(), stream);
                text.line("return CUDA_ERROR_UNKNOWN;");
                text.close("}").blank();
            }
        }
        return text.toString();
    }

    private static String streamOf(ApiFunction function) {
        if (function.takesDefaultStream()) {
            return "defaultStream";
        }
        return function.streamParameter() == null ? "0" : function.streamParameter().name();
    }
}
