package io.gpuvm.cuda.api.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the table of the CUDA runtime API.
class RuntimeTableTest {
    private static final RuntimeTable TABLE = ApiTable.load().runtime();

    /// Names that the binaries of Caffe on Maven Central import (rc3-1.2 for CUDA 7.5, master-1.3
    /// for CUDA 8.0).
    private static final List<String> CAFFE =
            List.of(
                    "__cudaRegisterFatBinary",
                    "__cudaRegisterFunction",
                    "__cudaRegisterVar",
                    "__cudaUnregisterFatBinary",
                    "cudaConfigureCall",
                    "cudaDeviceCanAccessPeer",
                    "cudaDeviceDisablePeerAccess",
                    "cudaDeviceEnablePeerAccess",
                    "cudaEventCreate",
                    "cudaEventDestroy",
                    "cudaEventElapsedTime",
                    "cudaEventRecord",
                    "cudaEventSynchronize",
                    "cudaFree",
                    "cudaFreeHost",
                    "cudaGetDevice",
                    "cudaGetDeviceCount",
                    "cudaGetDeviceProperties",
                    "cudaGetErrorString",
                    "cudaGetLastError",
                    "cudaLaunch",
                    "cudaMalloc",
                    "cudaMallocHost",
                    "cudaMemcpy",
                    "cudaMemcpyAsync",
                    "cudaMemset",
                    "cudaPeekAtLastError",
                    "cudaSetDevice",
                    "cudaSetupArgument",
                    "cudaStreamCreateWithFlags",
                    "cudaStreamDestroy",
                    "cudaStreamSynchronize");

    @Test
    void givenOldLibraries_whenNamesAreListed_thenNamesOfCaffeAreSupported() {
        Set<String> supported =
                TABLE.functions().stream()
                        .map(function -> function.name().symbol())
                        .collect(Collectors.toSet());
        for (RuntimeLibrary library : List.of(RuntimeLibrary.CUDA_7_5, RuntimeLibrary.CUDA_8_0)) {
            assertTrue(library.symbols(TABLE).containsAll(CAFFE), library.soname());
        }
        assertTrue(supported.containsAll(CAFFE));
    }

    @ParameterizedTest
    @CsvSource({
        "cudaLaunchCooperativeKernel, false, false, true, true",
        "cudaBindTexture,             true,  true,  true, true",
        "cudaProfilerInitialize,      true,  true,  true, false",
        "cudaMemAdvise,               false, true,  true, true",
        "cudaLaunchKernel_ptsz,       true,  true,  true, true",
        "cudaGetDeviceProperties_v2,  false, false, false, true",
    })
    void givenName_whenLibrariesAreAsked_thenVersionsOfNameHaveIt(
            String name, boolean in75, boolean in80, boolean in11, boolean in12) {
        assertEquals(in75, RuntimeLibrary.CUDA_7_5.symbols(TABLE).contains(name));
        assertEquals(in80, RuntimeLibrary.CUDA_8_0.symbols(TABLE).contains(name));
        assertEquals(in11, RuntimeLibrary.CUDA_11.symbols(TABLE).contains(name));
        assertEquals(in12, RuntimeLibrary.CUDA_12.symbols(TABLE).contains(name));
    }

    @Test
    void givenErrors_whenRead_thenNumbersOfBothNumberingsAreDistinct() {
        Map<Integer, RuntimeError> errors =
                TABLE.errors().stream()
                        .collect(Collectors.toMap(RuntimeError::value, Function.identity()));
        assertEquals("cudaErrorLaunchFailure", errors.get(719).name());
        assertEquals(4, errors.get(719).oldValue());
        assertEquals(77, errors.get(700).oldValue());
        assertEquals(-1, errors.get(900).oldValue());
        List<Integer> old =
                TABLE.errors().stream().map(RuntimeError::oldValue).filter(v -> v >= 0).toList();
        assertEquals(old.size(), Set.copyOf(old).size());
    }

    @Test
    void givenFunction_whenParametersAreRead_thenStreamsAndNamesAreKnown() {
        RuntimeFunction copy = function("cudaMemcpyAsync");
        assertTrue(copy.parameters().getLast().isStream());
        assertFalse(copy.takesDefaultStream());
        assertTrue(function("cudaMemcpy").takesDefaultStream());
        assertFalse(function("cudaStreamCreate").parameters().getFirst().isStream());
        assertEquals("pointer", function("cudaMalloc").parameters().getFirst().name());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function cudaFree context 2000",
                "group G\nfunction cudaFree wrong 2000",
                "group G\nfunction cudaFree context 2000 never",
                "group G\nfunction cudaFree context 2000\n  void",
                "group G\nfunction cudaFree context 2000\n  void *p : optional",
                "group G\nfunction cudaFree exact 2000\n  void *p",
                "group G\nfunction cudaFree context 2000\nfunction cudaFree context 2000",
            })
    void givenWrongText_whenRead_thenErrorNamesPlace(String text) {
        TableSources sources = new TableSources("", "", "", "", "", text, "", "");

        TableFormatException error =
                assertThrows(TableFormatException.class, () -> RuntimeReader.read(sources));

        assertTrue(error.getMessage().contains("runtime.txt:"), error.getMessage());
    }

    private static RuntimeFunction function(String name) {
        return TABLE.functions().stream()
                .filter(function -> function.name().symbol().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
