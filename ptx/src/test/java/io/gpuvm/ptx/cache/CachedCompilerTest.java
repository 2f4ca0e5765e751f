package io.gpuvm.ptx.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the compiler with a cache.
class CachedCompilerTest {
    private static final String SOURCE =
            """
            .version 3.0
            .target sm_20
            .address_size 64
            .visible .entry k(.param .u64 out)
            {
                .reg .u64 %at;
                .reg .u32 %i;
                ld.param.u64 %at, [out];
                mov.u32 %i, %tid.x;
                st.global.u32 [%at], %i;
                ret;
            }
            """;

    @TempDir private Path folder;

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    private CachedCompiler compiler() throws IOException {
        Path own = folder.resolve("ptx");
        return new CachedCompiler(own, 1 << 20);
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("ptx"))) {
            return all.sorted().toList();
        }
    }

    @Test
    void givenSource_whenCompiledTwice_thenSecondResultIsFromCacheAndEqual() throws IOException {
        PtxResult first = compiler().compile(SOURCE, PtxOptions.DEFAULT);
        PtxResult second = compiler().compile(SOURCE, PtxOptions.DEFAULT);

        assertTrue(first.isCompiled());
        assertEquals(1, first.functions().size());
        assertEquals(0, second.functions().size());
        assertArrayEquals(first.cubin().toBytes(), second.cubin().toBytes());
        assertEquals(1, entries().size());
    }

    @Test
    void givenOtherOptionsOrSource_whenCompiled_thenCacheHasAnEntryForEach() throws IOException {
        compiler().compile(SOURCE, PtxOptions.DEFAULT);
        compiler().compile(SOURCE, PtxOptions.DEFAULT.withRegisters(20));
        compiler().compile(SOURCE, PtxOptions.DEFAULT.withoutOptimization());
        compiler().compile(SOURCE + "\n", PtxOptions.DEFAULT);

        assertEquals(4, entries().size());
    }

    @Test
    void givenOtherCompiler_whenKeyIsComputed_thenKeyDiffers() {
        CacheKey one = CacheKey.of(new byte[] {1}, SOURCE, PtxOptions.DEFAULT);

        assertEquals(one, CacheKey.of(new byte[] {1}, SOURCE, PtxOptions.DEFAULT));
        assertNotEquals(one, CacheKey.of(new byte[] {2}, SOURCE, PtxOptions.DEFAULT));
    }

    @Test
    void givenSourceWithErrors_whenCompiled_thenNothingIsKept() throws IOException {
        PtxResult result = compiler().compile("nothing", PtxOptions.DEFAULT);

        assertFalse(result.isCompiled());
        assertEquals(PtxResult.Failure.INVALID_SOURCE, result.failure());
        assertEquals(List.of(), files());
    }

    @Test
    void givenDamagedEntry_whenCompiled_thenEntryIsReplaced() throws IOException {
        PtxResult first = compiler().compile(SOURCE, PtxOptions.DEFAULT);
        Path entry = entries().getFirst();
        byte[] contents = Files.readAllBytes(entry);
        contents[contents.length / 2] ^= 1;
        Files.write(entry, contents);

        PtxResult again = compiler().compile(SOURCE, PtxOptions.DEFAULT);

        assertEquals(1, again.functions().size(), "compiled again");
        assertArrayEquals(first.cubin().toBytes(), again.cubin().toBytes());
        assertEquals(0, compiler().compile(SOURCE, PtxOptions.DEFAULT).functions().size());
    }

    @Test
    void givenFileInPlaceOfFolder_whenCompiled_thenResultIsNotCached() throws IOException {
        Files.writeString(folder.resolve("ptx"), "a file");

        assertTrue(compiler().compile(SOURCE, PtxOptions.DEFAULT).isCompiled());
        assertTrue(compiler().compile(SOURCE, PtxOptions.DEFAULT).isCompiled());
    }

    @Test
    void givenEnvironment_whenFolderIsChosen_thenAbsolutePathsWin() {
        assertEquals(
                Path.of("/own"),
                CachedCompiler.folder(
                        Map.of("GPUVM_PTX_CACHE", "/own", "XDG_CACHE_HOME", "/caches"),
                        "/home/me"));
        assertEquals(
                Path.of("/caches/gpuvm/ptx"),
                CachedCompiler.folder(Map.of("XDG_CACHE_HOME", "/caches"), "/home/me"));
        assertEquals(
                Path.of("/home/me/.cache/gpuvm/ptx"),
                CachedCompiler.folder(Map.of("XDG_CACHE_HOME", "caches"), "/home/me"));
        assertEquals(
                Path.of("/home/me/.cache/gpuvm/ptx"), CachedCompiler.folder(Map.of(), "/home/me"));
    }
}
