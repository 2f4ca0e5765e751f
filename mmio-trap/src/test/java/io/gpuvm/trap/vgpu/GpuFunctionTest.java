package io.gpuvm.trap.vgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.EventFd;
import io.gpuvm.trap.vfiouser.Irq;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vfiouser.TrapRegion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GpuFunctionTest {
    private static final int CONFIG = 7;
    private static final int COMMAND = 0x04;
    private static final int INTX_DISABLE = 0x0400;
    private static final int MASTER = 0x0004;
    private static final int STATUS = 0x06;
    private static final int STATUS_INTERRUPT = 0x0008;
    private static final int PM_CONTROL = 0x64;
    private static final int DEVICE_CONTROL = 0x80;
    private static final int FLR = 0x8000;

    private final RecordingGpu gpu = new RecordingGpu();
    private final GpuFunction device = new GpuFunction(gpu, MappableBars.NONE);
    private final EventFd pin = EventFd.create();
    private final EventFd message = EventFd.create();

    @AfterEach
    void close() {
        pin.close();
        message.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x1000000, true",
        "1, 0x8000000, true",
        "2, 0, false",
        "3, 0x4000000, true",
        "4, 0, false",
        "5, 0x80, true",
        "6, 0x10000, false",
        "7, 0x1000, true",
        "8, 0, false"
    })
    void givenRegion_whenDescribed_thenSizeAndWritabilityAreReportedAndEveryAccessIsTrapped(
            int index, String bytes, boolean writable) {
        Region region = device.region(index);
        assertEquals(Long.decode(bytes), region.bytes());
        assertEquals(writable, region.writable());
        assertTrue(region.areas().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"0, BAR0", "1, BAR1", "3, BAR3", "5, BAR5"})
    void givenBar_whenAccessed_thenAccessReachesGpu(int region, String bar) {
        long expected = 0x01010101L * (region + 1);
        assertEquals(expected, device.read(region, 0x40, 4));
        device.write(region, 0x40, 1, 0xff);
        assertEquals(List.of("write " + bar + " 40 1 ff"), gpu.takeCalls());
    }

    @Test
    void givenRomAndConfig_whenRead_thenGpuProvidesRomAndFunctionProvidesConfig() {
        assertEquals(0x0707, device.read(6, 0, 2));
        assertEquals(0x06d810deL, device.read(CONFIG, 0, 4));
        device.write(CONFIG, 0x3c, 1, 0x0b);
        assertEquals(0x0b, device.read(CONFIG, 0x3c, 1));
        assertEquals(List.of(), gpu.takeCalls());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0x000000, BAR0",
        "0, 0x2fffff, BAR0",
        "0, 0x300000, PROM",
        "0, 0x30ffff, PROM",
        "0, 0x6fffff, BAR0",
        "0, 0x700000, PRAMIN",
        "0, 0x7fffff, PRAMIN",
        "0, 0x800000, BAR0",
        "1, 0x300000, BAR1",
        "3, 0, BAR3",
        "5, 0, BAR5",
        "6, 0, ROM",
        "7, 0, CONFIG"
    })
    void givenAccess_whenCategorized_thenWindowsOfBar0HaveSeparateCategories(
            int region, String offset, TrapRegion expected) {
        assertEquals(expected, device.trapRegion(region, Long.decode(offset)));
    }

    @Test
    void givenIntx_whenLevelIsAsserted_thenPinSignalsOncePerUnmask() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        gpu.level(true);
        gpu.level(true);
        assertEquals(1, pin.drain());
        device.unmaskInterrupt();
        assertEquals(1, pin.drain(), "the level is still asserted");
        gpu.level(false);
        device.unmaskInterrupt();
        assertEquals(0, pin.drain());
        gpu.level(true);
        assertEquals(1, pin.drain());
    }

    @Test
    void givenMaskedIntx_whenLevelRises_thenPinSignalsAfterUnmask() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.maskInterrupt();
        gpu.level(true);
        assertEquals(0, pin.drain());
        device.unmaskInterrupt();
        assertEquals(1, pin.drain());
    }

    @Test
    void givenIntxDisabledByGuest_whenLevelRises_thenInterruptIsMaskedUntilEnabled() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.write(CONFIG, COMMAND, 2, INTX_DISABLE);
        gpu.level(true);
        assertEquals(0, pin.drain());
        device.unmaskInterrupt();
        assertEquals(0, pin.drain(), "the guest's bit is still set");
        device.write(CONFIG, COMMAND, 2, 0);
        assertEquals(1, pin.drain());
    }

    @Test
    void givenIntxMaskedByClient_whenGuestTogglesDisableBit_thenInterruptStaysMasked() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.maskInterrupt();
        gpu.level(true);
        device.write(CONFIG, COMMAND, 2, INTX_DISABLE);
        device.write(CONFIG, COMMAND, 2, 0);
        assertEquals(0, pin.drain());
        device.unmaskInterrupt();
        assertEquals(1, pin.drain());
    }

    /// Tests the bit that Linux reads to determine whether the device has raised an interrupt
    /// (`drivers/pci/irq.c`).
    @Test
    void givenAssertedLevel_whenStatusIsRead_thenBitIsSetEvenWhileMasked() {
        assertEquals(0, device.read(CONFIG, STATUS, 2) & STATUS_INTERRUPT);
        gpu.level(true);
        assertEquals(STATUS_INTERRUPT, device.read(CONFIG, STATUS, 2) & STATUS_INTERRUPT);
        device.write(CONFIG, COMMAND, 2, INTX_DISABLE);
        assertEquals(
                (long) STATUS_INTERRUPT << 16,
                device.read(CONFIG, COMMAND, 4) & (long) STATUS_INTERRUPT << 16);
        gpu.level(false);
        assertEquals(0, device.read(CONFIG, STATUS, 1) & STATUS_INTERRUPT);
    }

    @Test
    void givenConnectedIntx_whenMsiIsConnected_thenOnlyMsiSignals() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.connectInterrupt(Irq.MSI, 0, message.descriptor());
        gpu.level(true);
        assertEquals(0, pin.drain());
        assertEquals(1, message.drain());
        device.disconnectInterrupt(Irq.MSI, 0);
        assertEquals(1, pin.drain(), "the pin takes over, and its level is asserted");
    }

    @Test
    void givenSwitchesBetweenIntxAndMsi_whenLevelIsAsserted_thenConnectedKindSignals() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.disconnectInterrupt(Irq.INTX, 0);
        device.connectInterrupt(Irq.MSI, 0, message.descriptor());
        gpu.level(true);
        assertEquals(1, message.drain());
        device.disconnectInterrupt(Irq.MSI, 0);
        gpu.level(true);
        assertEquals(0, message.drain());
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        assertEquals(1, pin.drain());
    }

    @Test
    void givenConnectedMsi_whenReplacementFails_thenOnlyPreviousEventFdIsSignalled() {
        device.connectInterrupt(Irq.MSI, 0, message.descriptor());
        gpu.failConnections(true);
        assertThrows(
                GpuDeviceException.class,
                () -> device.connectInterrupt(Irq.MSI, 0, pin.descriptor()));
        gpu.failConnections(false);
        device.disconnectInterrupt(Irq.INTX, 0);
        gpu.level(true);
        assertEquals(0, pin.drain());
        assertEquals(1, message.drain());
    }

    @Test
    void givenMaskedIntx_whenConnectedAgain_thenInterruptIsNotMasked() {
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        device.maskInterrupt();
        device.disconnectInterrupt(Irq.INTX, 0);
        device.connectInterrupt(Irq.INTX, 0, pin.descriptor());
        gpu.level(true);
        assertEquals(1, pin.drain());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERROR", "REQUEST"})
    void givenKindWithoutSignals_whenConnected_thenGpuIsNotCalled(Irq irq) {
        device.connectInterrupt(irq, 0, pin.descriptor());
        device.disconnectInterrupt(irq, 0);
        assertEquals(List.of(), gpu.takeCalls());
    }

    @Test
    void givenVectors_whenCounted_thenEachKindExceptMsixHasOneVector() {
        assertEquals(1, device.vectors(Irq.INTX));
        assertEquals(1, device.vectors(Irq.MSI));
        assertEquals(0, device.vectors(Irq.MSIX));
        assertEquals(1, device.vectors(Irq.ERROR));
        assertEquals(1, device.vectors(Irq.REQUEST));
    }

    @Test
    void givenCommandRegister_whenWritten_thenBusMasterIsUpdated() {
        assertFalse(device.busMaster());
        device.write(CONFIG, COMMAND, 2, MASTER);
        assertTrue(device.busMaster());
        device.reset();
        assertFalse(device.busMaster());
    }

    @Test
    void givenFunctionLevelReset_whenWritten_thenGpuAndConfigAreReset() {
        device.write(CONFIG, COMMAND, 2, MASTER);
        device.write(CONFIG, DEVICE_CONTROL, 2, FLR);
        assertTrue(gpu.takeCalls().contains("reset"));
        assertFalse(device.busMaster());
    }

    @Test
    void givenD3Hot_whenD0IsWritten_thenGpuIsReset() {
        device.write(CONFIG, PM_CONTROL, 2, 3);
        assertEquals(List.of(), gpu.takeCalls());
        device.write(CONFIG, PM_CONTROL, 2, 0);
        assertTrue(gpu.takeCalls().contains("reset"));
    }

    @Test
    void givenClient_whenDisconnected_thenGpuIsReset() {
        device.write(CONFIG, COMMAND, 2, MASTER | INTX_DISABLE);
        device.disconnected();
        assertTrue(gpu.takeCalls().contains("reset"));
        assertEquals(0, device.read(CONFIG, COMMAND, 2));
    }

    /// Tests the order, because a client retains its mappings, and can write to VRAM while the
    /// mappings show it.
    @Test
    void givenClientWithMappedBars_whenDisconnected_thenGpuIsResetAfterMappingsAreClosed() {
        List<String> callsBefore = new ArrayList<>();
        MappableBars bars =
                new MappableBars() {
                    @Override
                    public void open() {}

                    @Override
                    public Region region(Bar bar, long bytes) {
                        return Region.trapped(bytes, true);
                    }

                    @Override
                    public void close() {
                        callsBefore.addAll(gpu.takeCalls());
                        throw new GpuDeviceException("the GPU's owner does not answer");
                    }
                };
        GpuFunction mapped = new GpuFunction(gpu, bars);

        assertThrows(GpuDeviceException.class, mapped::disconnected);

        assertEquals(List.of(), callsBefore);
        assertTrue(gpu.takeCalls().contains("reset"), "even if closing the windows fails");
    }

    @Test
    void givenMemory_whenMappedAndUnmapped_thenGpuMapsAndUnmapsMemory() {
        device.mapDma(new DmaMapping(1, 0, 0x1000, 0x4000, true));
        device.unmapDma(0x4000, 0x1000);
        assertEquals(List.of("map 4000+1000", "unmap 4000+1000"), gpu.takeCalls());
    }
}
