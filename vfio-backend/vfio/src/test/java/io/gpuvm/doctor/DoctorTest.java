package io.gpuvm.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.vfio.HostTree;
import io.gpuvm.vfio.PciAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the findings on a host that meets all requirements, after one change to it.
class DoctorTest {
    private static final String CARD = "0000:01:00.0";
    private static final String AUDIO = "0000:01:00.1";
    private static final PciAddress ADDRESS = PciAddress.parse(CARD);
    private static final String USER = "operator";
    private static final long ARENA_BYTES = 64L << 20;

    @TempDir private Path root;
    private HostTree tree;
    private String qemu = "QEMU emulator version 10.1.2 (Debian)";
    private final Set<Path> forbidden = new HashSet<>();

    @BeforeEach
    void setUp() {
        tree =
                new HostTree(root)
                        .file("proc/sys/kernel/osrelease", "6.12.107")
                        .file("proc/cmdline", "quiet intel_iommu=on")
                        .file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vmx\nprocessor\t: 1")
                        .file(
                                "proc/meminfo",
                                "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n"
                                        + "HugePages_Total: 512\nHugePages_Free: 500\nHugepagesize: 2048 kB")
                        .file("proc/self/status", "CapEff:\t0000000000000000")
                        .folder("sys/firmware/acpi/tables/data")
                        .file("sys/firmware/acpi/tables/DMAR", "")
                        .file("sys/class/iommu/dmar0/intel-iommu/ecap", "f00f4a")
                        .folder("sys/module/vfio_iommu_type1")
                        .file("dev/vfio/vfio", "")
                        .file("dev/vfio/7", "")
                        .file("dev/kvm", "")
                        .function(CARD, "0x030000", "10de:06d8")
                        .attribute(CARD, "subsystem_vendor", "0x7067")
                        .attribute(CARD, "reset_method", "flr pm")
                        .attribute(
                                CARD,
                                "resource",
                                """
                                0x00000000fd000000 0x00000000fdffffff 0x0000000000040200
                                0x00000000f0000000 0x00000000f7ffffff 0x000000000014220c
                                0x0000000000000000 0x0000000000000000 0x0000000000000000\
                                """)
                        .group(7, CARD)
                        .bound(CARD, "vfio-pci");
        limit("unlimited");
    }

    @Test
    void givenGoodHost_whenExamined_thenNothingIsMissingAndCardIsUsable() {
        Examination found = examine();

        assertTrue(found.isUsable(), found::toString);
        assertEquals(List.of(), with(found, Status.MISSING));
        assertEquals(List.of(), with(found, Status.NOTE));
        assertEquals(List.of(), with(found, Status.UNKNOWN));
    }

    @Test
    void givenGoodHost_whenExamined_thenFindingsNameObservedState() {
        assertTrue(finding("kernel").found().contains("6.12.107"));
        assertTrue(finding("BARs").found().contains("1: 128 MiB (64 bit)"));
        assertTrue(finding("IOMMU").found().contains("dmar0, 1 groups"));
        assertTrue(finding("neighbours").found().contains("alone"));
        assertTrue(finding("huge pages").found().contains("512 pages of 2048 KiB, 500 free"));
    }

    @Test
    void givenKvmWithoutHardwareVirtualization_whenExamined_thenGuestsAreEmulated() {
        tree.file("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu lm");

        assertEquals(Status.NOTE, finding("KVM").status());
        assertTrue(finding("KVM").found().contains("without hardware virtualization (vmx, svm)"));
    }

    @Test
    void givenDisabledIommu_whenExamined_thenParameterIsNamed() throws IOException {
        withoutIommu();
        tree.file("proc/cmdline", "quiet");

        assertMissing("IOMMU", "DMAR", "intel_iommu=on");
        assertMissing("group", "not behind an IOMMU", "IOMMU");
        assertFalse(examine().isUsable());
    }

    @Test
    void givenIommuDisabledByParameter_whenExamined_thenFixReplacesParameter() throws IOException {
        withoutIommu();
        tree.file("proc/cmdline", "quiet intel_iommu=off");

        assertMissing("IOMMU", "intel_iommu=off", "s/intel_iommu=off/intel_iommu=on/");
    }

    @Test
    void givenFirmwareWithoutIommu_whenExamined_thenFirmwareSetupIsNamed() throws IOException {
        withoutIommu();
        Files.delete(root.resolve("sys/firmware/acpi/tables/DMAR"));

        assertMissing("IOMMU", "no ACPI table", "VT-d");
    }

    @Test
    void givenIommuWithoutInterruptRemapping_whenExamined_thenRiskIsNamed() {
        tree.file("sys/class/iommu/dmar0/intel-iommu/ecap", "f00f42");
        assertMissing("IOMMU", "forging interrupts", "allow_unsafe_interrupts=1");

        tree.file("sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts", "Y");
        assertEquals(Status.OK, finding("IOMMU").status());
    }

    @Test
    void givenOtherDriver_whenExamined_thenFixIsBindCommand() {
        tree.bound(CARD, "nouveau");

        assertMissing("driver", "nouveau", "gpuvm bind " + CARD);
    }

    @Test
    void givenNeighboursInUse_whenExamined_thenNeighboursAndDriversAreNamed() {
        tree.function(AUDIO, "0x040300", "10de:0be5").group(7, CARD, AUDIO);
        tree.bound(AUDIO, "snd_hda_intel");

        assertMissing("neighbours", AUDIO + " (snd_hda_intel)", "--whole-group");
    }

    @ParameterizedTest
    @CsvSource({"vfio-pci", "pci-stub", "pcieport"})
    void givenHarmlessNeighbours_whenExamined_thenGroupIsViable(String driver) {
        tree.function(AUDIO, "0x040300", "10de:0be5").group(7, CARD, AUDIO).bound(AUDIO, driver);

        assertEquals(Status.OK, finding("neighbours").status());
    }

    @ParameterizedTest
    @CsvSource({"06c0, 0x10de, real GF100", "1080, 0x10de, GF110", "1b80, 0x10de, another chip"})
    void givenUnsupportedCard_whenExamined_thenChipIsNamed(
            String device, String board, String what) {
        tree.attribute(CARD, "device", "0x" + device).attribute(CARD, "subsystem_vendor", board);

        assertMissing("chip", what, "--gpu soft");
    }

    @Test
    void givenNoPermission_whenExamined_thenFileAndUserAreNamed() {
        forbidden.add(root.resolve("dev/vfio/7"));

        assertMissing("/dev/vfio/7", USER, "chown operator /dev/vfio/7");
    }

    @Test
    void givenLowLimitOfLockedMemory_whenExamined_thenRequirementIsUnmetUnlessUserIsPrivileged() {
        limit("8388608");
        assertMissing("memlock", "8192 KiB", "ulimit -l");
        assertMissing(
                "memlock",
                "expected at least 67584 KiB for one guest with an arena of 64 MiB",
                "ulimit -l");

        tree.file("proc/self/status", "CapEff:\t000001ffffffffff");
        assertEquals(Status.OK, finding("memlock").status());
    }

    @ParameterizedTest
    @CsvSource({
        "QEMU emulator version 10.0.8, NOTE",
        "QEMU emulator version 9.2.0, NOTE",
        "QEMU emulator version 10.1.0, OK",
        "QEMU emulator version 11.0.50, OK",
        "something else, UNKNOWN",
    })
    void givenQemuVersion_whenExamined_thenOnlyOldVersionIsNoted(String version, Status status) {
        qemu = version;

        assertEquals(status, finding("QEMU").status());
        assertTrue(examine().isUsable());
    }

    @Test
    void givenNoModules_whenExamined_thenOneModprobeCommandIsNamed() throws IOException {
        delete("sys/bus/pci/drivers/vfio-pci");
        delete("sys/module/vfio_iommu_type1");

        assertMissing("modules", "vfio-pci", "modprobe -a vfio-pci vfio_iommu_type1");
    }

    @Test
    void givenBarWithoutAddress_whenExamined_thenFirmwareSettingIsNamed() {
        tree.attribute(
                CARD,
                "resource",
                """
                0x00000000fd000000 0x00000000fdffffff 0x0000000000040200
                0x0000000000000000 0x0000000007ffffff 0x000000002014220c\
                """);

        assertMissing("BARs", "BAR 1", "Above 4G");
    }

    @Test
    void givenNoResetMethod_whenExamined_thenResetIsMissing() throws IOException {
        delete("sys/bus/pci/devices/" + CARD + "/reset_method");

        assertMissing("reset", "cannot reset", "slot");
    }

    @Test
    void givenProcessThatUsesCard_whenExamined_thenProcessIsNamed() {
        tree.file("proc/1234/comm", "java").link("proc/1234/fd/5", Path.of("/dev/vfio/7"));

        assertMissing("in use", "1234 (java)", "kill 1234");
    }

    @Test
    void givenBootDisplay_whenExamined_thenLossOfDisplayIsNoted() {
        tree.bound(CARD, "nouveau").attribute(CARD, "boot_vga", "1");

        assertEquals(Status.NOTE, finding("display").status());
    }

    @Test
    void givenNoCard_whenExamined_thenOnlyHostHasFindings() throws IOException {
        delete("sys/bus/pci/devices/" + CARD);
        Examination found = Doctor.examine(host(), ARENA_BYTES);

        assertFalse(found.isUsable());
        assertTrue(found.cards().isEmpty());
        assertEquals(Status.OK, find(found.host(), "IOMMU").status());
        assertThrows(
                IllegalArgumentException.class, () -> Doctor.examine(host(), ARENA_BYTES, ADDRESS));
    }

    private Host host() {
        return new Host(
                root,
                USER,
                file -> Files.exists(file) && !forbidden.contains(file),
                _ -> Optional.of(qemu));
    }

    private Examination examine() {
        return Doctor.examine(host(), ARENA_BYTES, ADDRESS);
    }

    private Finding finding(String point) {
        Examination found = examine();
        return find(
                Stream.concat(found.host().stream(), found.cards().get(ADDRESS).stream()).toList(),
                point);
    }

    private static Finding find(List<Finding> findings, String point) {
        return findings.stream()
                .filter(finding -> finding.point().equals(point))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + point + " in " + findings));
    }

    private void assertMissing(String point, String found, String fix) {
        Finding finding = finding(point);
        assertEquals(Status.MISSING, finding.status(), finding::toString);
        assertTrue(finding.found().contains(found), finding::toString);
        assertTrue(finding.fix().contains(fix), finding::toString);
        assertFalse(examine().isUsable());
    }

    private static List<Finding> with(Examination found, Status status) {
        return Stream.concat(
                        found.host().stream(),
                        found.cards().values().stream().flatMap(List::stream))
                .filter(finding -> finding.status() == status)
                .toList();
    }

    private void limit(String bytes) {
        tree.file(
                "proc/self/limits",
                "Max locked memory         %s              %s              bytes"
                        .formatted(bytes, bytes));
    }

    private void withoutIommu() throws IOException {
        delete("sys/kernel/iommu_groups");
        delete("sys/class/iommu");
        delete("sys/bus/pci/devices/" + CARD + "/iommu_group");
    }

    private void delete(String path) throws IOException {
        try (Stream<Path> tree = Files.walk(root.resolve(path))) {
            for (Path file : tree.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
