package io.gpuvm.ptx.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.fuzz.ClangSources;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the checker with PTX that clang has generated.
class ClangPtxTest {
    @Test
    void givenPtxOfClang_whenChecked_thenKernelsAndLinesAreResolved() {
        for (String source : ClangSources.all()) {
            PtxModule module = Sources.module(source);

            assertTrue(
                    module.functions().stream()
                            .filter(function -> function.header().kernel())
                            .map(PtxFunction::name)
                            .toList()
                            .containsAll(List.of("saxpy", "sum", "call", "all")));
            for (PtxFunction function : module.functions()) {
                assertTrue(
                        function.code().stream().anyMatch(found -> found.line() != null),
                        function.name());
            }
            assertTrue(module.files().values().stream().allMatch(name -> name.contains("kernels")));
        }
    }

    @Test
    void givenVariablesOfClang_whenChecked_thenReferencesAreGeneric() {
        PtxModule module = Sources.module(ClangSources.source("kernels-19-O2.ptx"));
        PtxVariable pointer =
                module.variables().stream()
                        .filter(variable -> variable.name().equals("pointer"))
                        .findFirst()
                        .orElseThrow();

        assertEquals(List.of(new PtxReference(0, 8, "counter", 0, true, 0)), pointer.references());
    }
}
