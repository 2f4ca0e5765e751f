package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Structure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that compare sizes and request codes with the results of a C compiler for `linux/vfio.h`.
class StructsTest {
    static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of(new Structs.GroupStatus(), 8),
                Arguments.of(new Structs.DeviceInfo(), 24),
                Arguments.of(new Structs.IrqInfo(), 16),
                Arguments.of(new Structs.IrqSet(), 24),
                Arguments.of(new Structs.DmaMap(), 32),
                Arguments.of(new Structs.DmaUnmap(), 24));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void givenStructure_whenLaidOut_thenSizeMatchesKernel(Structure structure, int bytes) {
        assertEquals(bytes, structure.size());
    }

    @Test
    void givenRequests_whenEncoded_thenCodesMatchKernel() {
        assertEquals(0x3b64, VfioIoctl.VFIO_GET_API_VERSION.number());
        assertEquals(0x3b6a, VfioIoctl.VFIO_GROUP_GET_DEVICE_FD.number());
        assertEquals(0x3b72, VfioIoctl.VFIO_IOMMU_UNMAP_DMA.number());
    }
}
