package io.gpuvm.cuda.api.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of queries of `cuGetProcAddress`.
class ProcAddressTableTest {
    private static final ProcAddressTable TABLE = ProcAddressTable.of(ApiTable.load());

    @ParameterizedTest
    @CsvSource({
        "cuMemAlloc, 2000, cuMemAlloc",
        "cuMemAlloc, 3010, cuMemAlloc",
        "cuMemAlloc, 3020, cuMemAlloc_v2",
        "cuMemAlloc, 12040, cuMemAlloc_v2",
        "cuStreamGetCaptureInfo, 10010, cuStreamGetCaptureInfo",
        "cuStreamGetCaptureInfo, 11030, cuStreamGetCaptureInfo_v2",
        "cuStreamGetCaptureInfo, 12030, cuStreamGetCaptureInfo_v3",
        "cuGetProcAddress, 11030, cuGetProcAddress",
        "cuGetProcAddress, 11080, cuGetProcAddress",
        "cuGetProcAddress, 12000, cuGetProcAddress_v2",
        "cuDevicePrimaryCtxRelease, 7000, cuDevicePrimaryCtxRelease",
        "cuDevicePrimaryCtxRelease, 11000, cuDevicePrimaryCtxRelease_v2",
        "cuCtxCreate, 3020, cuCtxCreate_v2",
        "cuCtxCreate, 11040, cuCtxCreate_v3",
        "cuMemcpyHtoD, 12000, cuMemcpyHtoD_v2",
        "cuMemcpy, 6000, cuMemcpy",
    })
    void givenVersion_whenNameIsQueried_thenYoungestSymbolIsFound(
            String name, int version, String symbol) {
        assertEquals(new ProcAddressTable.Answer(symbol, true), TABLE.find(name, version, false));
    }

    @ParameterizedTest
    @CsvSource({
        "cuMemcpyHtoD, 7000, cuMemcpyHtoD_v2_ptds",
        "cuMemcpyHtoD, 6050, cuMemcpyHtoD_v2",
        "cuMemcpyHtoD, 3010, cuMemcpyHtoD",
        "cuLaunchKernel, 12000, cuLaunchKernel_ptsz",
        "cuMemAllocAsync, 11020, cuMemAllocAsync_ptsz",
        "cuMemAlloc, 12000, cuMemAlloc_v2",
        "cuStreamGetCaptureInfo, 12030, cuStreamGetCaptureInfo_v3_ptsz",
    })
    void givenPerThreadStreams_whenNameIsQueried_thenTwinIsFound(
            String name, int version, String symbol) {
        assertEquals(new ProcAddressTable.Answer(symbol, true), TABLE.find(name, version, true));
    }

    @Test
    void givenUnknownName_whenQueried_thenNameIsUnknown() {
        var unknown = new ProcAddressTable.Answer(null, false);

        assertEquals(unknown, TABLE.find("cuNoSuchFunction", 12000, false));
        assertEquals(unknown, TABLE.find("cuMemAlloc_v2", 12000, false));
        assertEquals(unknown, TABLE.find("", 12000, false));
    }

    @Test
    void givenVersionBeforeName_whenQueried_thenNameIsKnownWithoutSymbol() {
        var tooOld = new ProcAddressTable.Answer(null, true);

        assertEquals(tooOld, TABLE.find("cuGetProcAddress", 11020, false));
        assertEquals(tooOld, TABLE.find("cuLibraryLoadData", 11080, false));
        assertEquals(tooOld, TABLE.find("cuMemAlloc", 0, false));
    }
}
