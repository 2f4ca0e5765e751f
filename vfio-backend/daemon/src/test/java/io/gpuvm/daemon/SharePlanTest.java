package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the division of a GPU among virtual machines.
class SharePlanTest {
    private static final long MIB = 1L << 20;

    @Test
    void givenNoSizes_whenPlanned_thenPartsAreEqualAndRounded() {
        assertEquals(sizes(512, 512), plan(1024, 0, 0));
        assertEquals(sizes(160, 160, 160), plan(512, 0, 0, 0));
        assertEquals(sizes(512), plan(512, 0));
    }

    @Test
    void givenSomeSizes_whenPlanned_thenRemainderIsDividedEqually() {
        assertEquals(sizes(160, 257, 96, 160), plan(700, 0, 257, 96, 0));
    }

    @Test
    void givenSizesForAllVms_whenPlanned_thenSizesAreGranted() {
        assertEquals(sizes(64, 960), plan(1024, 64, 960));
        assertEquals(sizes(64, 65), plan(1024, 64, 65));
    }

    @Test
    void givenVramAboveLargestBoard_whenPlanned_thenEqualPartIsSizeOfLargestBoard() {
        assertEquals(sizes(6144, 6144), plan(16384, 0, 0));
    }

    @Test
    void givenSizesAboveVramOfGpu_whenPlanned_thenSumAndLimitAreNamed() {
        assertRefused("sum of all vram= is 1025 MiB, limit=1024 MiB", () -> plan(1024, 512, 513));
        assertRefused("is 1025 MiB, limit=1024 MiB", () -> plan(1024, 512, 0, 513));
    }

    @Test
    void givenTooLittleVramForEqualParts_whenPlanned_thenRemainderAndLimitAreNamed() {
        assertRefused(
                "2 virtual machines without vram= share 112 MiB of VRAM, expected at least 64 MiB",
                () -> plan(1024, 0, 912, 0));
        assertRefused("share 0 MiB of VRAM, expected at least 64 MiB", () -> plan(1024, 1024, 0));
        assertRefused("9 virtual machines", () -> plan(512, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void givenPercentages_whenPlanned_thenRemainderIsDividedInWholeMebibytes() {
        List<VmConfig> vms =
                List.of(
                        VmConfig.parse("a,mode=pv,vram=33%,socket=/a"),
                        VmConfig.parse("b,mode=pv,socket=/b"));
        assertEquals(330 * MIB, vms.getFirst().vramBytes(1000 * MIB));
        assertEquals(656 * MIB, SharePlan.equalPart(1000 * MIB, vms));
        assertRefused(
                "--vm a: vram=33% of 128 MiB: ",
                () -> SharePlan.equalPart(128 * MIB, vms.subList(0, 1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 64", "1, 64", "2, 32", "3, 16", "4, 16"})
    void givenTrustedVmms_whenBar3IsShared_thenEachPieceIsPowerOfTwo(int trusted, long mib) {
        assertEquals(mib * MIB, SharePlan.bar3Bytes(64 * MIB, 64 * MIB, trusted(trusted)));
    }

    @Test
    void givenMoreTrustedVmmsThanBar3Holds_whenPlanned_thenLimitIsNamed() {
        assertRefused(
                "5 virtual machines with trust-vmm=yes, limit=4",
                () -> SharePlan.bar3Bytes(64 * MIB, 64 * MIB, trusted(5)));
    }

    @Test
    void givenLargeBar3_whenPlannedForOneTrustedVm_thenSizeEqualsSizeOfOtherVms() {
        assertEquals(64 * MIB, SharePlan.bar3Bytes(256 * MIB, 64 * MIB, trusted(1)));
    }

    /// Returns one untrusted virtual machine, and a number of trusted virtual machines.
    private static List<VmConfig> trusted(int count) {
        List<VmConfig> vms = vms(0);
        for (int i = 0; i < count; i++) {
            vms.add(VmConfig.parse("t,mode=fv,map=bar3,trust-vmm=yes,socket=/t"));
        }
        return vms;
    }

    /// Returns the size of each virtual machine's VRAM.
    private static List<Long> plan(long vramMib, long... mib) {
        List<VmConfig> vms = vms(mib);
        long equal = SharePlan.equalPart(vramMib * MIB, vms);
        return vms.stream()
                .map(vm -> vm.vram().isEqualPart() ? equal : vm.vramBytes(vramMib * MIB))
                .toList();
    }

    private static List<VmConfig> vms(long... mib) {
        List<VmConfig> vms = new ArrayList<>();
        for (long size : mib) {
            String name = "vm" + vms.size();
            vms.add(
                    new VmConfig(
                            name,
                            VmMode.FV,
                            Path.of(name),
                            ShadowStrategy.INCREMENTAL,
                            DirectMapping.ALL,
                            size == 0 ? VramSize.EQUAL_PART : VramSize.ofBytes(size * MIB)));
        }
        return vms;
    }

    private static List<Long> sizes(long... mib) {
        List<Long> sizes = new ArrayList<>();
        for (long size : mib) {
            sizes.add(size * MIB);
        }
        return sizes;
    }

    private static void assertRefused(String message, Runnable planning) {
        ConfigException e = assertThrows(ConfigException.class, planning::run);
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }
}
