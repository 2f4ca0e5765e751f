package io.gpuvm.gf100.mmu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TableGeometryTest {
    @Test
    void givenBigPagesOf128KiB_whenSizesAreRead_thenSizesMatchNouveau() {
        TableGeometry geometry = TableGeometry.BIG_PAGES_128K;
        assertEquals(64 << 10, geometry.directoryBytes());
        assertEquals(256 << 10, geometry.tableBytes(PageSize.SMALL_4K));
        assertEquals(8 << 10, geometry.tableBytes(geometry.bigPage()));
    }

    @Test
    void givenBigPagesOf64KiB_whenSizesAreRead_thenSizesMatchNouveau() {
        TableGeometry geometry = TableGeometry.BIG_PAGES_64K;
        assertEquals(128 << 10, geometry.directoryBytes());
        assertEquals(128 << 10, geometry.tableBytes(PageSize.SMALL_4K));
        assertEquals(8 << 10, geometry.tableBytes(geometry.bigPage()));
    }

    @ParameterizedTest
    @EnumSource
    void givenRandomAddresses_whenSplit_thenPartsFormAddress(TableGeometry geometry) {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long gpuVa = random.nextLong() & TableGeometry.VA_MASK;
            for (PageSize page : new PageSize[] {PageSize.SMALL_4K, geometry.bigPage()}) {
                long again =
                        geometry.directoryIndex(gpuVa) * geometry.spanBytes()
                                + geometry.tableIndex(page, gpuVa) * page.bytes()
                                + page.offsetIn(gpuVa);
                assertEquals(gpuVa, again);
            }
        }
    }

    @Test
    void givenTargets_whenEncodedAndDecoded_thenTargetsAreUnchanged() {
        for (MemoryTarget target : MemoryTarget.values()) {
            assertEquals(target, MemoryTarget.ofPte(target.pteCode()));
            if (target != MemoryTarget.PEER) {
                assertEquals(target, MemoryTarget.ofPde(target.pdeCode()));
                assertEquals(target, MemoryTarget.ofPointer(target.pointerCode()));
            }
        }
        assertNull(MemoryTarget.ofPde(0));
        assertNull(MemoryTarget.ofPointer(1));
        assertThrows(IllegalArgumentException.class, MemoryTarget.PEER::pdeCode);
    }
}
