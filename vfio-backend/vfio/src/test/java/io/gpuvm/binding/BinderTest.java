package io.gpuvm.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.doctor.Host;
import io.gpuvm.vfio.HostTree;
import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of binding and unbinding a card, with and without an audio function in its group.
class BinderTest {
    private static final PciAddress CARD = PciAddress.parse("0000:01:00.0");
    private static final PciAddress AUDIO = PciAddress.parse("0000:01:00.1");
    private static final PciAddress BRIDGE = PciAddress.parse("0000:00:01.0");
    private static final BindOptions PLAIN = new BindOptions(false, false);
    private static final BindOptions WHOLE_GROUP = new BindOptions(true, false);
    private static final BindOptions DISPLAY = new BindOptions(false, true);

    @TempDir private Path root;
    @TempDir private Path state;
    private final List<String> said = new ArrayList<>();
    private HostTree tree;
    private FakeKernel kernel;
    private Binder binder;

    @BeforeEach
    void setUp() {
        tree =
                new HostTree(root)
                        .function(CARD.toString(), "0x030000", "10de:06d8")
                        .function(BRIDGE.toString(), "0x060400", "8086:3c02")
                        .group(1, BRIDGE.toString())
                        .group(7, CARD.toString())
                        .driver("vfio-pci")
                        .bound(CARD.toString(), "nouveau");
        kernel = new FakeKernel(tree);
        Host host = new Host(root, "root", Files::exists, _ -> Optional.empty());
        binder = new Binder(host, state, kernel, said::add);
    }

    @Test
    void givenCard_whenBoundAndUnbound_thenFormerDriverIsRestored() {
        binder.bind(CARD, PLAIN);
        assertEquals("vfio-pci vfio-pci", stateOf(CARD));

        binder.unbind(CARD);
        assertEquals("nouveau (null)", stateOf(CARD));
    }

    @Test
    void givenCardWithoutDriver_whenBoundAndUnbound_thenNoDriverIsBound() throws IOException {
        withoutDriver();

        binder.bind(CARD, PLAIN);
        binder.unbind(CARD);

        assertEquals("none (null)", stateOf(CARD));
    }

    @Test
    void givenCardReservedForDriver_whenBoundAndUnbound_thenReservationIsRestored() {
        tree.attribute(CARD.toString(), "driver_override", "nouveau");

        binder.bind(CARD, PLAIN);
        binder.unbind(CARD);

        assertEquals("nouveau nouveau", stateOf(CARD));
    }

    @Test
    void givenBoundCard_whenBoundAgain_thenNothingIsWrittenAndFormerDriverIsKept() {
        binder.bind(CARD, PLAIN);
        kernel.writes.clear();

        binder.bind(CARD, PLAIN);

        assertEquals(List.of(), kernel.writes);
        binder.unbind(CARD);
        assertEquals("nouveau (null)", stateOf(CARD));
    }

    @Test
    void givenFreeCard_whenUnbound_thenNothingIsWritten() {
        binder.unbind(CARD);

        assertEquals(List.of(), kernel.writes);
        assertTrue(said.getLast().contains("nothing to restore"), said::toString);
    }

    @Test
    void givenGroupMembersInUse_whenBound_thenBindingIsRefusedAndMembersAreNamed() {
        withAudio();

        assertRefused(CARD, PLAIN, AUDIO + " (snd_hda_intel)", "--whole-group");
    }

    @Test
    void givenGroupMembersInUse_whenWholeGroupIsBoundAndUnbound_thenFormerDriversAreRestored() {
        withAudio();

        binder.bind(CARD, WHOLE_GROUP);
        assertEquals("vfio-pci vfio-pci", stateOf(AUDIO));

        binder.unbind(CARD);
        assertEquals("nouveau (null)", stateOf(CARD));
        assertEquals("snd_hda_intel (null)", stateOf(AUDIO));
    }

    @Test
    void givenBoundCard_whenWholeGroupIsBoundAndUnbound_thenFormerDriversAreRestored() {
        binder.bind(CARD, PLAIN);
        withAudio();

        binder.bind(CARD, WHOLE_GROUP);
        binder.unbind(CARD);

        assertEquals("nouveau (null)", stateOf(CARD));
        assertEquals("snd_hda_intel (null)", stateOf(AUDIO));
    }

    @Test
    void givenFailingSecondFunction_whenWholeGroupIsBound_thenFirstFunctionIsRestored() {
        withAudio();
        kernel.unwilling.add("vfio-pci " + AUDIO);

        BindingException e =
                assertThrows(BindingException.class, () -> binder.bind(CARD, WHOLE_GROUP));

        assertTrue(e.getMessage().contains("vfio-pci did not bind to the function"), e::getMessage);
        assertTrue(e.getMessage().endsWith("all changes are undone"), e::getMessage);
        assertEquals("nouveau (null)", stateOf(CARD));
        assertEquals("snd_hda_intel (null)", stateOf(AUDIO));
        binder.unbind(CARD);
        assertTrue(said.getLast().contains("nothing to restore"), said::toString);
    }

    @Test
    void givenDriverThatRejectsCard_whenUnbound_thenErrorIsReportedAndRetryIsPossible() {
        binder.bind(CARD, PLAIN);
        kernel.unwilling.add("nouveau " + CARD);
        assertThrows(BindingException.class, () -> binder.unbind(CARD));

        kernel.unwilling.clear();
        binder.unbind(CARD);

        assertEquals("nouveau (null)", stateOf(CARD));
    }

    @Test
    void givenUnloadedDriver_whenUnbound_thenModprobeCommandIsNamed() throws IOException {
        binder.bind(CARD, PLAIN);
        Files.delete(root.resolve("sys/bus/pci/drivers/nouveau"));

        BindingException e = assertThrows(BindingException.class, () -> binder.unbind(CARD));

        assertTrue(e.getMessage().contains("modprobe nouveau"), e::getMessage);
        assertEquals("vfio-pci vfio-pci", stateOf(CARD));
    }

    @Test
    void givenProcessThatUsesCard_whenUnbound_thenProcessIsNamedAndNothingIsWritten() {
        binder.bind(CARD, PLAIN);
        kernel.writes.clear();
        tree.file("proc/1234/comm", "java").link("proc/1234/fd/5", Path.of("/dev/vfio/7"));

        BindingException e = assertThrows(BindingException.class, () -> binder.unbind(CARD));

        assertTrue(e.getMessage().contains("1234 (java)"), e::getMessage);
        assertEquals(List.of(), kernel.writes);
    }

    @Test
    void givenCardBoundByAnotherProgram_whenUnbound_thenCardIsUnchanged() {
        tree.bound(CARD.toString(), "vfio-pci");

        BindingException e = assertThrows(BindingException.class, () -> binder.unbind(CARD));

        assertTrue(e.getMessage().contains("not by 'gpuvm bind'"), e::getMessage);
        assertEquals(List.of(), kernel.writes);
    }

    @Test
    void givenBootDisplay_whenBound_thenOptionIsRequired() {
        tree.attribute(CARD.toString(), "boot_vga", "1");
        assertRefused(CARD, PLAIN, "boot_vga=1", "--boot-display");

        binder.bind(CARD, DISPLAY);
        assertEquals("vfio-pci vfio-pci", stateOf(CARD));
    }

    @Test
    void givenFrameBufferOnCard_whenBound_thenOptionIsRequired() {
        tree.link("sys/class/graphics/fb0/device", Path.of("../../..").resolve(CARD.toString()));

        assertRefused(CARD, PLAIN, "frame buffer fb0", "--boot-display");
    }

    @Test
    void givenUnusedFirstDisplay_whenBound_thenCardIsBound() throws IOException {
        withoutDriver();
        tree.attribute(CARD.toString(), "boot_vga", "1");
        tree.file("sys/class/vtconsole/vtcon0/name", "(S) dummy device");

        binder.bind(CARD, PLAIN);

        assertEquals("vfio-pci vfio-pci", stateOf(CARD));
    }

    @Test
    void givenFunctionOtherThanCard_whenBound_thenBindingIsRefused() {
        tree.function("0000:03:00.0", "0x010802", "144d:a808").group(8, "0000:03:00.0");

        assertRefused(BRIDGE, DISPLAY, "bridge", "other devices");
        assertRefused(PciAddress.parse("0000:03:00.0"), DISPLAY, "expected 03xxxx", "display");
        assertRefused(PciAddress.parse("0000:09:00.0"), DISPLAY, "no such", "gpuvm doctor");
    }

    @Test
    void givenNoIommu_whenBound_thenBindingIsRefused() throws IOException {
        Files.delete(function(CARD).folder().resolve("iommu_group"));

        assertRefused(CARD, PLAIN, "not behind an IOMMU", "gpuvm doctor");
    }

    @Test
    void givenNoVfio_whenBound_thenModprobeCommandIsNamed() throws IOException {
        Files.delete(root.resolve("sys/bus/pci/drivers/vfio-pci"));

        assertRefused(CARD, PLAIN, "not loaded", "modprobe vfio-pci");
    }

    @Test
    void givenDryRun_whenPlanned_thenCommandsAreListedAndNothingIsWritten() {
        List<String> plan = binder.planOfBind(CARD, PLAIN);

        Path bus = root.resolve("sys/bus/pci");
        assertEquals(
                List.of(
                        "echo vfio-pci > %s/devices/%s/driver_override".formatted(bus, CARD),
                        "echo %s > %s/drivers/nouveau/unbind".formatted(CARD, bus),
                        "echo %s > %s/drivers_probe".formatted(CARD, bus)),
                plan);
        assertEquals(List.of(), kernel.writes);
    }

    private void assertRefused(PciAddress card, BindOptions options, String reason, String advice) {
        BindingException e = assertThrows(BindingException.class, () -> binder.bind(card, options));
        assertTrue(e.getMessage().contains(reason), e::getMessage);
        assertTrue(e.getMessage().contains(advice), e::getMessage);
        assertEquals(List.of(), kernel.writes);
    }

    private void withAudio() {
        tree.function(AUDIO.toString(), "0x040300", "10de:0be5")
                .group(7, CARD.toString(), AUDIO.toString())
                .bound(AUDIO.toString(), "snd_hda_intel");
    }

    private void withoutDriver() throws IOException {
        Files.delete(function(CARD).folder().resolve("driver"));
    }

    private PciFunction function(PciAddress address) {
        return new PciFunction(root, address);
    }

    /// Returns `DRIVER OVERRIDE`.
    private String stateOf(PciAddress address) {
        PciFunction function = function(address);
        return "%s %s"
                .formatted(
                        function.driver().orElse("none"),
                        function.text("driver_override").orElseThrow());
    }
}
