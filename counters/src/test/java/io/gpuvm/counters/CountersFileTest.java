package io.gpuvm.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersFileTest {
    private static final int NO_GROUP = -1;
    private static final int PV = 2;
    private static final int BLOCK = 512;

    @TempDir Path folder;

    @Test
    void givenValues_whenOtherMappingReads_thenItSeesThem() {
        try (CountersFile file = create(2)) {
            CounterSet vm = file.attach("a", 1, PV);
            vm.cells(CounterType.SUBMITTED).add(3);
            vm.cells(CounterType.GPU_TIME_NS).add(2, 500);
            file.engines().cells(CounterType.ENGINE_BUSY_NS).set(1, 77);
            file.backend().cells(CounterType.VRAM_BYTES).set(1 << 20);

            BackendSnapshot read = CountersView.open(file.path()).read();

            assertEquals(ProcessHandle.current().pid(), read.pid());
            assertEquals("soft", read.gpu());
            assertEquals(77, read.engines().get(CounterType.ENGINE_BUSY_NS, 1));
            assertEquals(1 << 20, read.backend().get(CounterType.VRAM_BYTES));
            VmSnapshot only = read.vms().getFirst();
            assertEquals("a", only.name());
            assertEquals("pv", only.mode());
            assertEquals(1, only.slot());
            assertEquals(3, only.values().get(CounterType.SUBMITTED));
            assertEquals(500, only.values().get(CounterType.GPU_TIME_NS, 2));
            assertEquals(BackendSnapshot.State.SERVING, read.state());
            assertNull(read.control());
            file.showControl(folder.resolve("ctl"));
            assertEquals(folder.resolve("ctl"), file.view().read().control());
        }
    }

    @Test
    void givenFile_whenCreated_thenAllBlocksAreAllocatedAndOnlyOwnerReads() throws Exception {
        try (CountersFile file = create(31)) {
            long blocks = (Long) Files.getAttribute(file.path(), "unix:size") / BLOCK;
            Process du = new ProcessBuilder("stat", "-c", "%b", file.path().toString()).start();
            long allocated = Long.parseLong(new String(du.getInputStream().readAllBytes()).strip());
            assertTrue(allocated >= blocks, "allocated=" + allocated + ", needed=" + blocks);
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
        }
    }

    @Test
    void givenFullFileSystem_whenCreated_thenErrorNamesFileAndNothingRemains() throws Exception {
        // A limit on the length of files has the effect of a full file system: a write fails.
        Process limited = start("ulimit -f 16; trap '' XFSZ; exec \"$@\"", "create", folder);
        String output = new String(limited.getInputStream().readAllBytes());
        assertEquals(1, limited.waitFor(), output);
        assertTrue(output.contains("counters.dat: the file for counters, of "), output);
        assertEquals(List.of(), names());
    }

    @Test
    void givenDetachedVm_whenNextAttaches_thenItsCountersBeginFromZeroInSamePlace() {
        try (CountersFile file = create(1)) {
            CounterSet first = file.attach("a", 0, PV);
            first.cells(CounterType.SUBMITTED).add(9);
            file.detach(first);
            assertEquals(List.of(), file.view().read().vms());

            CounterSet second = file.attach("b", 0, PV);

            VmSnapshot only = file.view().read().vms().getFirst();
            assertEquals("b", only.name());
            assertEquals(0, only.values().get(CounterType.SUBMITTED));
            assertEquals(second.attachment(), only.attachment());
            assertTrue(second.attachment() > first.attachment());
        }
    }

    @Test
    void givenAllSlotsTaken_whenAnotherVmAttaches_thenItIsRefusedAndRoomRemainsForLater() {
        try (CountersFile file = create(1)) {
            CounterSet first = file.attach("a", 0, PV);
            assertThrows(IllegalStateException.class, () -> file.attach("b", 1, PV));
            file.detach(first);
            file.attach("b", 0, PV);
            assertEquals("b", file.view().read().vms().getFirst().name());
        }
    }

    @Test
    void givenSlotReusedWhileValueIsRead_whenRead_thenValueDoesNotAppearUnderFormerName() {
        CountersFile file = CountersFile.inMemory(1, "soft");
        CounterSet first = file.attach("a", 0, PV);
        first.cells(CounterType.WEIGHT).set(1);
        int slot = CountersReader.counterOffset(first.ids()[0]);
        boolean[] swapped = new boolean[1];
        // The first counter of a virtual machine is its weight. The reader knows its name by then.
        AtomicBuffer values =
                new UnsafeBuffer(file.values()) {
                    @Override
                    public long getLongVolatile(int index) {
                        if (index == slot && !swapped[0]) {
                            swapped[0] = true;
                            file.detach(first);
                            file.attach("b", 0, PV).cells(CounterType.WEIGHT).set(2);
                        }
                        return super.getLongVolatile(index);
                    }
                };

        List<VmSnapshot> vms = file.view(values).read().vms();

        assertTrue(swapped[0]);
        assertEquals(List.of("b"), vms.stream().map(VmSnapshot::name).toList());
    }

    @Test
    void givenRunningBackend_whenSecondOneUsesFolder_thenItIsRefusedWithPid() {
        try (CountersFile file = create(1)) {
            CountersException refused = assertThrows(CountersException.class, () -> create(1));
            assertTrue(
                    refused.getMessage().contains("pid=" + ProcessHandle.current().pid()),
                    refused.getMessage());
            assertEquals(BackendSnapshot.State.SERVING, file.view().read().state());
        }
    }

    @Test
    void givenStoppedBackend_whenRead_thenCountersRemainAndNextBackendReplacesThem() {
        CountersFile file = create(1);
        file.attach("a", 0, PV).cells(CounterType.SUBMITTED).set(4);
        file.close();
        BackendSnapshot read = CountersView.open(file.path()).read();
        assertEquals(BackendSnapshot.State.STOPPED, read.state());
        assertEquals(4, read.vms().getFirst().values().get(CounterType.SUBMITTED));

        try (CountersFile next = create(1)) {
            assertEquals(List.of(), CountersView.open(next.path()).read().vms());
            assertEquals(List.of("counters.dat"), names());
        }
    }

    @Test
    void givenKilledBackend_whenRead_thenItIsDeadAndItsCountersRemain() throws Exception {
        Process killed = start("exec \"$@\"", "serve", folder);
        assertEquals('r', killed.getInputStream().read());
        killed.destroyForcibly().waitFor();

        BackendSnapshot read = CountersView.open(folder.resolve(CountersFile.NAME)).read();

        assertEquals(BackendSnapshot.State.DEAD, read.state());
        assertEquals(killed.pid(), read.pid());
        assertEquals(41, read.vms().getFirst().values().get(CounterType.SUBMITTED));
        create(1).close();
    }

    @Test
    void givenBackendOfOtherNamespace_whenRead_thenItLivesAsLongAsItsHeart() throws IOException {
        CountersFile file = create(1);
        try (RandomAccessFile changed = new RandomAccessFile(file.path().toFile(), "rw")) {
            changed.seek(FileHeader.NAMESPACE_AT);
            changed.write(7);
            changed.seek(FileHeader.PID_AT);
            changed.write(new byte[Long.BYTES]);
            assertEquals(BackendSnapshot.State.SERVING, file.view().read().state());
            assertThrows(CountersException.class, () -> create(1));
            changed.seek(FileHeader.HEARTBEAT_NS_AT);
            changed.write(new byte[Long.BYTES]);
        }
        assertEquals(BackendSnapshot.State.DEAD, file.view().read().state());
        create(1).close();
    }

    @Test
    void givenSuspendedBackend_whenRead_thenItHangsAndIsReadable() throws Exception {
        Process suspended = start("exec \"$@\"", "serve", folder);
        try {
            assertEquals('r', suspended.getInputStream().read());
            BackendSnapshot read = CountersView.open(folder.resolve(CountersFile.NAME)).read();
            assertEquals(BackendSnapshot.State.SERVING, read.state());
            BackendSnapshot later = later(read, BackendSnapshot.HUNG_AFTER.toNanos() + 1);
            assertEquals(BackendSnapshot.State.HUNG, later.state());
        } finally {
            suspended.destroyForcibly().waitFor();
        }
    }

    @Test
    void givenOtherFiles_whenOpened_thenErrorNamesFileAndDifference() throws IOException {
        Path other = folder.resolve("other");
        Files.write(other, new byte[8192]);
        assertMessage(other, "not a file of gpuvm's counters");
        Files.write(other, new byte[3]);
        assertMessage(other, "not a file of gpuvm's counters");
        assertMessage(folder.resolve("absent"), "NoSuchFileException");

        create(1).close();
        Path file = folder.resolve(CountersFile.NAME);
        try (RandomAccessFile changed = new RandomAccessFile(file.toFile(), "rw")) {
            changed.setLength(changed.length() - 128);
            assertMessage(file, "expected=");
            changed.seek(FileHeader.VERSION_AT);
            changed.write(7);
            assertMessage(file, "version=7, expected=1");
        }
    }

    @Test
    void givenHostileName_whenRead_thenControlCharactersAreReplaced() {
        try (CountersFile file = create(1)) {
            file.attach("a\u001b[2J", 0, PV);
            assertEquals("a?[2J", file.view().read().vms().getFirst().name());
        }
    }

    @Test
    void givenEngineInUse_whenRead_thenRunningTimeCountsForEngineAndHolder() {
        try (CountersFile file = create(2)) {
            CounterSet vm = file.attach("a", 0, PV);
            long since = System.nanoTime();
            file.engines().cells(CounterType.ENGINE_SINCE_NS).set(0, since);
            file.engines().cells(CounterType.ENGINE_HOLDER).set(0, vm.attachment());
            vm.cells(CounterType.GPU_TIME_NS).set(0, 1000);

            BackendSnapshot read = file.view().read();

            VmSnapshot only = read.vms().getFirst();
            assertEquals(only, read.holder(0));
            assertNull(read.holder(1));
            assertEquals(read.readNs() - since, read.busyNs(0));
            assertEquals(1000 + read.readNs() - since, read.gpuTimeNs(only));
        }
    }

    @Test
    void givenNumbersOfTypes_whenCompared_thenTheyAreDistinct() {
        assertEquals(
                CounterType.values().length,
                List.of(CounterType.values()).stream()
                        .map(CounterType::number)
                        .collect(Collectors.toSet())
                        .size());
        assertFalse(List.of(CounterType.values()).stream().anyMatch(type -> type.number() < 1));
    }

    private BackendSnapshot later(BackendSnapshot read, long ns) {
        return new BackendSnapshot(
                read.path(),
                read.pid(),
                read.isAlive(),
                read.startMs(),
                read.heartbeatMs(),
                read.heartbeatNs(),
                read.isStopped(),
                read.gpu(),
                read.control(),
                read.readMs(),
                read.heartbeatNs() + ns,
                read.backend(),
                read.engines(),
                read.vms());
    }

    private static void assertMessage(Path file, String part) {
        String message =
                assertThrows(CountersException.class, () -> CountersView.open(file)).getMessage();
        assertTrue(message.contains(part) && message.contains(file.toString()), message);
    }

    private CountersFile create(int slots) {
        return CountersFile.create(folder, NO_GROUP, slots, "soft");
    }

    private List<String> names() {
        return List.of(folder.toFile().list());
    }

    /// Starts [CountersProcess] in a shell.
    private static Process start(String shell, String action, Path folder) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "bash",
                                "-c",
                                shell,
                                "bash",
                                System.getProperty("java.home") + "/bin/java"));
        command.addAll(
                List.of(
                        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CountersProcess.class.getName(),
                        action,
                        folder.toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
