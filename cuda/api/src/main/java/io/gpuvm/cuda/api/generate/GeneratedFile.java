package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.RuntimeLibrary;
import java.util.List;

/// File that a generator makes.
///
/// @param kind name on the command line
/// @param folder group of files: `c`, `java`, `runtime` or `text`
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
                    runtime("runtime-header", "gpuvm_runtime_api.h", new RuntimeHeader()),
                    runtime("runtime-stubs", "runtime_stubs.c", new RuntimeStubs()),
                    runtime("runtime-refusals", "runtime_refusals.c", new RuntimeRefusals()),
                    runtime("runtime-errors", "runtime_errors.c", new RuntimeErrors()),
                    runtime("runtime-libraries", "libraries", new RuntimeLibraries()),
                    exports(RuntimeLibrary.CUDA_7_5),
                    exports(RuntimeLibrary.CUDA_8_0),
                    exports(RuntimeLibrary.CUDA_11),
                    exports(RuntimeLibrary.CUDA_12),
                    text("functions-page", "cuda-functions.md", new FunctionsPage()),
                    text("runtime-functions-page", "cuda-runtime-functions.md", new RuntimePage()),
                    text("calls-page", "cuda-calls.md", new CallsPage()),
                    text("fuzz-dictionary", "cuda.dict", new FuzzDictionary()),
                    text("driver-header", "gpuvm_driver_api.h", new CDriverHeader()),
                    text("per-thread-header", "gpuvm_per_thread.h", new CPerThreadHeader()));

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

    private static GeneratedFile runtime(String kind, String fileName, Generator generator) {
        return new GeneratedFile(kind, "runtime", fileName, generator);
    }

    private static GeneratedFile exports(RuntimeLibrary library) {
        String name = library.soname();
        return runtime(name, name + ".map", new RuntimeExports(library));
    }

    private static GeneratedFile text(String kind, String fileName, Generator generator) {
        return new GeneratedFile(kind, "text", fileName, generator);
    }
}
