package io.gpuvm.guests.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallTraceTest {
    @TempDir private Path folder;

    @Test
    void givenTraceWithRepeatedCalls_whenRead_thenEachFunctionAppearsOnce() throws IOException {
        Path file = folder.resolve("trace");
        Files.writeString(
                file,
                """
                3120.545548297 7084 7084 cuMemAlloc CUDA_SUCCESS ns=111319183 call=1
                3120.656937234 7084 7085 cuInit CUDA_SUCCESS ns=1993 call=0
                3120.656944585 7084 7084 cuMemAlloc CUDA_ERROR_OUT_OF_MEMORY ns=78369132 call=2
                """);

        assertEquals(
                List.of("cuInit", "cuMemAlloc"), List.copyOf(CallTrace.read(file).functions()));
    }

    @Test
    void givenProgramWithoutCalls_whenTraceIsRead_thenNoFunctionIsNamed() {
        assertEquals(CallTrace.EMPTY, CallTrace.read(folder.resolve("missing")));
    }

    @Test
    void givenTraceOfKilledProcess_whenLastLineIsIncomplete_thenWholeLinesAreRead()
            throws IOException {
        Path file = folder.resolve("trace");
        Files.writeString(file, "1.5 7 7 cuInit CUDA_SUCCESS ns=1 call=0\n1.6 7");

        assertEquals(List.of("cuInit"), List.copyOf(CallTrace.read(file).functions()));
    }

    @Test
    void givenTrace_whenRead_thenCallsBeforeFirstAllocationAreCounted() throws IOException {
        Path file = folder.resolve("trace");
        Files.writeString(
                file,
                """
                3120.1 7084 7084 cuInit CUDA_SUCCESS ns=1993 call=1
                3120.2 7084 7084 cuDeviceGetCount CUDA_SUCCESS ns=20 call=0
                3120.3 7084 7084 cuCtxCreate CUDA_SUCCESS ns=900 call=2
                3120.4 7084 7084 cuMemAllocPitch CUDA_SUCCESS ns=900 call=3
                3120.5 7084 7084 cuMemFree CUDA_SUCCESS ns=900 call=4
                """);

        CallTrace trace = CallTrace.read(file);

        assertEquals(3, trace.startUpCalls());
        assertEquals(2, trace.startUpMessages());
    }
}
