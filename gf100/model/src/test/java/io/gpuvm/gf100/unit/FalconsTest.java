package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pmu;
import io.gpuvm.gf100.reg.VideoFalcons;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// PMU, copy engines and video decoders, as drivers initialize them.
class FalconsTest {
    private static final int ERROR = 0x40;

    private final PmuUnit pmu = new PmuUnit();
    private boolean interrupted;
    private final CopyTrap trap = new CopyTrap(level -> interrupted = level);
    private final RegisterBench bench =
            new RegisterBench(
                    pmu,
                    new VideoDecoderUnit(),
                    FalconUnit.copyEngine(Pcopy.FALCON_0, new CopyTrap(_ -> {})),
                    FalconUnit.copyEngine(Pcopy.FALCON_1, trap));

    @Test
    void givenPmu_whenProgramStarts_thenRingLocationsAreReported() {
        assertEquals(0, bench.read(Pmu.H2D));
        upload(Pmu.FALCON, 832, 896);
        bench.write(Pmu.FALCON.ucBlockOnFifo(), 0);
        bench.write(Pmu.FALCON.entry(), 0);
        bench.write(Pmu.FALCON.ucCtrl(), 2);

        assertEquals(0x0080_05a0, bench.read(Pmu.H2D));
        assertEquals(0x0080_0620, bench.read(Pmu.D2H));
        assertEquals(0, bench.read(Pmu.FALCON.statusBusy()));
        pmu.stop();
        assertEquals(0, bench.read(Pmu.H2D));
    }

    @Test
    void givenPmuLock_whenTwoOwnersCompete_thenFirstOwnerHoldsLockUntilRelease() {
        bench.write(Pmu.MUTEX, 0, 1);
        bench.write(Pmu.MUTEX, 0, 2);
        assertEquals(1, bench.read(Pmu.MUTEX, 0));

        bench.write(Pmu.MUTEX, 0, 0);
        bench.write(Pmu.MUTEX, 0, 2);
        assertEquals(2, bench.read(Pmu.MUTEX, 0));
    }

    @Test
    void givenInterruptEnables_whenSetAndCleared_thenMaskReadsBack() {
        bench.write(Pmu.FALCON.intrEnSet(), 0xe0);
        bench.write(Pmu.FALCON.intrEnClr(), 0x60);

        assertEquals(0x80, bench.read(Pmu.FALCON.intrEn()));
    }

    /// nouveau selects its upload method by version, and refuses a program that does not fit.
    @Test
    void givenCopyEngine_whenCapabilitiesAreRead_thenNouveauProgramFits() {
        int caps = bench.read(Pcopy.FALCON_0.caps());

        assertEquals(3, bench.read(Pcopy.FALCON_0.caps2()) & 0xf);
        assertEquals(0, bench.read(Pcopy.FALCON_0.caps2()) >>> 4 & 0xf);
        assertTrue((caps & 0x1ff) * 256 >= 0x1200);
        assertTrue((caps >>> 9 & 0x1ff) * 256 >= 0x800);
    }

    @Test
    void givenRefusedMethod_whenHandledByDriver_thenMethodIsReadAndAcknowledged() {
        List<Integer> released = new ArrayList<>();
        upload(Pcopy.FALCON_1, 256, 512);
        bench.write(Pcopy.FALCON_1.scratch3(), 1);
        bench.write(Pcopy.FALCON_1.ucCtrl(), 2);
        bench.write(Pcopy.FALCON_1.accessEn(), 3);
        trap.onRelease(released::add);
        trap.describe(2, 0x300, 0x1234);
        trap.raise(CopyClass.ERROR_ILLEGAL_METHOD, 0x5_5000);
        assertTrue(interrupted);
        int routing = bench.read(Pcopy.FALCON_1.intrRouting());

        int seen = bench.read(Pcopy.FALCON_1.intr()) & routing & ~(routing >>> 16);

        assertEquals(ERROR, seen);
        assertEquals(0x10c0_0001, bench.read(Pcopy.FALCON_1.scratch0()));
        assertEquals(0x1234, bench.read(Pcopy.FALCON_1.scratch1()));
        assertEquals(0x55, bench.read(Pcopy.FALCON_1.channelCur()));
        bench.write(Pcopy.FALCON_1.intrAck(), ERROR);
        assertEquals(List.of(ERROR), released);
        assertFalse(interrupted);
        assertEquals(0, bench.read(Pcopy.FALCON_1.intr()));
    }

    @Test
    void givenRefusedMethod_whenGpuIsReset_thenReportIsDroppedAndListenerIsNotCalled() {
        trap.onRelease(_ -> fail("no channel may continue"));
        trap.describe(2, 0x300, 0x1234);
        trap.raise(CopyClass.ERROR_ILLEGAL_METHOD, 0x5_5000);

        bench.reset();

        assertFalse(interrupted);
        assertEquals(0, bench.read(Pcopy.FALCON_1.intr()));
        assertEquals(0, bench.read(Pcopy.FALCON_1.scratch0()));
        assertEquals(0, bench.read(Pcopy.FALCON_1.channelCur()));
    }

    @Test
    void givenVideoDecoders_whenSwitchedOff_thenNoAccessIsUndeclared() {
        for (Falcon falcon : List.of(VideoFalcons.PVLD, VideoFalcons.PPDEC, VideoFalcons.PPPP)) {
            bench.write(falcon.accessEn(), bench.read(falcon.accessEn()) & ~3);
            bench.write(falcon.intrEnClr(), -1);
            assertNotEquals(0, bench.read(falcon.caps()));
        }

        assertEquals(List.of(), bench.undeclared.snapshot());
    }

    private void upload(Falcon falcon, int codeWords, int dataWords) {
        bench.write(falcon.dataIndex(), 0x0100_0000);
        for (int i = 0; i < dataWords; i++) {
            bench.write(falcon.data(), i);
        }
        bench.write(falcon.codeIndex(), 0x0100_0000);
        for (int i = 0; i < codeWords; i++) {
            if (i % 64 == 0) {
                bench.write(falcon.codeVirtAddr(), i / 64);
            }
            bench.write(falcon.code(), i);
        }
    }
}
