package io.gpuvm.cuda.api.generate;

import java.util.List;

/// File that a generator makes.
///
/// @param kind name on the command line
/// @param folder group of files: `c`, `java` or `text`
/// @param fileName name of the file
/// @param generator generator of the text
public record GeneratedFile(String kind, String folder, String fileName, Generator generator) {
    private static final List<GeneratedFile> ALL =
            List.of(
                    c("c-types", "gpuvm_cuda_types.h", new CTypesHeader()),
                    c("c-prototypes", "gpuvm_cuda_api.h", new CPrototypesHeader()),
                    c("c-senders", "gpuvm_cuda_senders.h", new CSendersHeader()),
                    c("c-stubs", "cuda_stubs.c", new CStubs()),
                    c("c-refusals", "cuda_refusals.c", new CRefusals()),
                    c("c-call-names", "cuda_call_names.c", new CCallNames()),
                    c("c-statuses", "cuda_statuses.c", new CStatusTable()),
                    c("c-proc-address", "cuda_proc_address.c", new CProcAddress()),
                    c("exports", "libcuda.map", new LinkerExports()),
                    java("java-opcodes", "CudaOpcode.java", new JavaOpcodes()),
                    java("java-calls", "CudaCall.java", new JavaCalls()),
                    java("java-handler", "CudaCallHandler.java", new JavaHandler()),
                    java("java-decoder", "CudaCallDecoder.java", new JavaDecoder()),
                    java("java-replies", "CudaReply.java", new JavaReplies()),
                    java("java-recorder", "CudaCallRecorder.java", new JavaRecorder()),
                    java("java-statuses", "CudaStatus.java", new JavaStatuses()),
                    java("java-attributes", "CudaDeviceAttribute.java", new JavaAttributes()),
                    text("functions-page", "cuda-functions.md", new FunctionsPage()),
                    text("calls-page", "cuda-calls.md", new CallsPage()),
                    text("fuzz-dictionary", "cuda.dict", new FuzzDictionary()),
                    text("driver-header", "gpuvm_driver_api.h", new CDriverHeader()));

    /// Returns all files.
    public static List<GeneratedFile> all() {
        return ALL;
    }

    private static GeneratedFile c(String kind, String fileName, Generator generator) {
        return new GeneratedFile(kind, "c", fileName, generator);
    }

    private static GeneratedFile java(String kind, String fileName, Generator generator) {
        return new GeneratedFile(kind, "java", fileName, generator);
    }

    private static GeneratedFile text(String kind, String fileName, Generator generator) {
        return new GeneratedFile(kind, "text", fileName, generator);
    }
}
