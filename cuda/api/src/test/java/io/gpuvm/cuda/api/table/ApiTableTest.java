package io.gpuvm.cuda.api.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.api.table.ApiVariant.Support;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests of the table on the class path.
class ApiTableTest {
    private static final ApiTable TABLE = ApiTable.load();

    /// Number of names that begin with `cu` and a capital letter in Debian's list of the driver 535
    /// (CUDA 12.2).
    private static final int NAMES_OF_DRIVER_535 = 592;

    private static final int LAST_VERSION_OF_DRIVER_535 = 12_020;

    @Test
    void givenTable_whenFunctionsOfTiersAreCounted_thenTiersAreComplete() {
        assertEquals(60, count(Support.TIER1));
        assertEquals(79, count(Support.TIER2));
    }

    /// The survey before the table counted 22 local functions, 21 without reply, 10 with a reply
    /// and 7 that wait. Differences:
    ///
    /// - Page-locked memory lies in the data area, which the library allocates: `cuMemAllocHost`
    ///   and `cuMemHostAlloc` are local, and `cuMemFreeHost` waits for kernels that may use the
    ///   memory.
    /// - `cuMemGetInfo` has a reply, because it must count releases that were sent before it.
    @Test
    void givenFirstTier_whenClassesAreCounted_thenCountsEqualSurveyExceptMemory() {
        assertEquals(
                Map.of(
                        CallClass.LOCAL,
                        22 + 2 - 1,
                        CallClass.NO_REPLY,
                        21 - 1,
                        CallClass.REPLY,
                        10 - 2 + 1,
                        CallClass.WAIT,
                        7 + 1),
                classes(Support.TIER1));
    }

    /// The survey counted 41 local functions, 24 without reply, 10 with a reply and 4 that wait.
    /// Differences:
    ///
    /// - Registered pages remain outside the data area, so that the backend need not know them:
    ///   `cuMemHostRegister` and `cuMemHostUnregister` are local.
    /// - `cuLibraryGetGlobal` travels as `cuModuleGetGlobal`, with a reply.
    @Test
    void givenSecondTier_whenClassesAreCounted_thenCountsEqualSurveyExceptMemory() {
        assertEquals(
                Map.of(
                        CallClass.LOCAL,
                        41 + 2 - 1,
                        CallClass.NO_REPLY,
                        24 - 1,
                        CallClass.REPLY,
                        10 - 1 + 1,
                        CallClass.WAIT,
                        4),
                classes(Support.TIER2));
    }

    /// Outside the tiers are the nine functions of launches in CUDA 3, five of texture references,
    /// six names before CUDA 4 with the parameters of their successors, `cuCtxAttach` and
    /// `cuCtxDetach`, which PyCUDA uses, and the eight names of links.
    @Test
    void givenTable_whenExtraSymbolsAreCounted_thenLaunchesTexturesAndLinksArePresent() {
        assertEquals(9 + 5 + 6 + 2 + 8, count(Support.EXTRA));
    }

    @Test
    void givenTable_whenNamesAreCounted_thenAllNamesOfDriver535ArePresent() {
        List<String> symbols = TABLE.symbols();
        long later =
                TABLE.variants()
                        .filter(variant -> variant.since() > LAST_VERSION_OF_DRIVER_535)
                        .mapToLong(variant -> variant.symbols().size())
                        .sum();

        assertEquals(symbols.size(), new HashSet<>(symbols).size());
        assertEquals(NAMES_OF_DRIVER_535, symbols.size() - later);
    }

    /// The driver 535 exports 86 names for per-thread default streams.
    @Test
    void givenTable_whenTwinsAreCounted_thenAllTwinsOfDriver535ArePresent() {
        List<ApiVariant> twins =
                TABLE.variants()
                        .filter(ApiVariant::hasTwin)
                        .filter(variant -> variant.since() <= LAST_VERSION_OF_DRIVER_535)
                        .toList();

        assertEquals(86, twins.size());
        assertEquals(42, twins.stream().filter(twin -> twin.support().isLive()).count());
    }

    @Test
    void givenSmallCall_whenLaidOut_thenOperandsAreInEntry() {
        WireLayout layout = TABLE.function("cuMemcpyHtoDAsync").layout();

        assertEquals(false, layout.isSpilled());
        assertEquals(
                List.of("destination", "source", "bytes", "stream"),
                layout.operands().stream().map(ApiOperand::name).toList());
        assertEquals(new WireLayout.Place(true, 16), layout.placeOf(0));
        assertEquals(new WireLayout.Place(true, 40), layout.placeOf(3));
    }

    @Test
    void givenLaunch_whenLaidOut_thenFourOperandsAreInEntryAndParametersFollow() {
        WireLayout layout = TABLE.function("cuLaunchKernel").layout();

        assertTrue(layout.isSpilled());
        assertEquals(new WireLayout.Place(true, 32), layout.placeOf(0));
        assertEquals(new WireLayout.Place(true, 56), layout.placeOf(3));
        assertEquals(new WireLayout.Place(false, 0), layout.placeOf(4));
        assertEquals(List.of("parameters"), layout.blobs().stream().map(ApiOperand::name).toList());
        assertEquals(layout.spilledWords() * 8L + 8 + 4352, layout.maxArgumentBytes());
    }

    @Test
    void givenTwoTables_whenOnlyTextDiffers_thenWireHashIsEqual() {
        TableSources sources = TableSources.ofResources();
        ApiTable renamed =
                ApiTable.read(
                        new TableSources(
                                sources.types(),
                                sources.functions().replace(" descriptionCapacity ", " room "),
                                sources.unsupported(),
                                sources.results(),
                                sources.attributes(),
                                "",
                                "",
                                ""));
        ApiTable changed =
                ApiTable.read(
                        new TableSources(
                                sources.types(),
                                sources.functions().replace("bytes max=4352", "bytes max=4096"),
                                sources.unsupported(),
                                sources.results(),
                                sources.attributes(),
                                "",
                                "",
                                ""));

        assertEquals(WireHash.of(TABLE), WireHash.of(renamed));
        assertTrue(WireHash.of(TABLE) != WireHash.of(changed));
    }

    @Test
    void givenStatuses_whenRead_thenKnownValuesArePresent() {
        Map<String, Integer> values =
                Map.of(
                        "CUDA_SUCCESS", 0,
                        "CUDA_ERROR_INVALID_VALUE", 1,
                        "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", 221,
                        "CUDA_ERROR_NOT_FOUND", 500,
                        "CUDA_ERROR_NOT_SUPPORTED", 801,
                        "CUDA_ERROR_UNKNOWN", 999);

        values.forEach((name, value) ->
                assertEquals(
                        List.of(value),
                        TABLE.statuses().stream()
                                .filter(status -> status.name().equals(name))
                                .map(ApiStatus::value)
                                .toList()));
    }

    @Test
    void givenAttributes_whenRead_thenValuesAreContiguous() {
        for (int i = 0; i < TABLE.attributes().size(); i++) {
            assertEquals(i + 1, TABLE.attributes().get(i).value());
        }
    }

    private static long count(Support support) {
        return classes(support).values().stream().mapToInt(Integer::intValue).sum();
    }

    private static Map<CallClass, Integer> classes(Support support) {
        Map<CallClass, Integer> counts = new EnumMap<>(CallClass.class);
        for (ApiFunction function : TABLE.cudaFunctions()) {
            for (ApiVariant variant : function.variants()) {
                if (variant.support() == support) {
                    counts.merge(function.callClass(), 1, Integer::sum);
                }
            }
        }
        return counts;
    }
}
