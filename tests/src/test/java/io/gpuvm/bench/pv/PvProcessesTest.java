package io.gpuvm.bench.pv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.ThisBuild;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuError;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.workloads.WorkloadRun;
import io.gpuvm.workloads.Workloads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tests of `gpuvm serve` and its guests, each in a separate process.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("commands")
class PvProcessesTest {
    private static final List<String> OPTIONS = List.of("--gpu", "soft,vram=512M");

    @TempDir private Path folder;

    private final List<Process> guests = new ArrayList<>();

    @AfterEach
    void endGuests() {
        guests.forEach(Process::destroyForcibly);
    }

    @Test
    void givenBackend_whenSeveralProcessesRunWorkloads_thenEachWorkloadIsVerified()
            throws Exception {
        List<String> workloads = List.of("mmul", "cpy", "bfs", "srad");
        try (BackendProcess backend = BackendProcess.start(folder, workloads, OPTIONS)) {
            for (String workload : workloads) {
                guests.add(run(backend, workload, workload));
            }

            for (int i = 0; i < workloads.size(); i++) {
                String said = output(guests.get(i));
                assertEquals(0, guests.get(i).waitFor(), said);
                assertTrue(said.contains(workloads.get(i) + ", size"), said);
                assertTrue(said.contains("verified"), said);
            }
        }
    }

    @Test
    void givenFiguresFile_whenRunAsGuest_thenFiguresNameConfiguration() throws Exception {
        Path figures = folder.resolve("figures.json");
        try (BackendProcess backend = BackendProcess.start(folder, List.of("a"), OPTIONS)) {
            guests.add(run(backend, "a", "nop", "--size=10", "--json", figures.toString()));
            String said = output(guests.getFirst());
            assertEquals(0, guests.getFirst().waitFor(), said);
        }

        JsonNode json = new ObjectMapper().readTree(figures.toFile());
        assertEquals("pv", json.at("/configurations/0/name").asText());
        assertEquals("pv", json.at("/workloads/0/results/0/configuration").asText());
        assertTrue(json.at("/gpu/startUp/ns").asLong() > 0);
    }

    @Test
    void givenKilledGuest_whenSecondGuestConnects_thenSecondGuestCanUseMemoryAndGpu()
            throws Exception {
        try (BackendProcess backend = BackendProcess.start(folder, List.of("a"), OPTIONS)) {
            Process endless = run(backend, "a", "loop", "--size=100000000");
            guests.add(endless);
            assertEquals("loop, size 100000000 ...", endless.errorReader().readLine());
            endless.destroyForcibly().waitFor();

            Process next = run(backend, "a", "madd", "--size=64");
            guests.add(next);
            String said = output(next);
            assertEquals(0, next.waitFor(), said);
        }
    }

    @Test
    void givenProcessesOfOneVm_whenOneProcessIsKilled_thenOtherResultsAreVerified()
            throws Exception {
        List<String> workloads = List.of("mmul", "bfs", "srad");
        try (BackendProcess backend = BackendProcess.start(folder, List.of("a"), OPTIONS)) {
            Process endless = run(backend, "a", "loop", "--size=100000000");
            guests.add(endless);
            assertEquals("loop, size 100000000 ...", endless.errorReader().readLine());
            for (String workload : workloads) {
                guests.add(run(backend, "a", workload));
            }
            endless.destroyForcibly().waitFor();

            for (Process guest : guests.subList(1, guests.size())) {
                String said = output(guest);
                assertEquals(0, guest.waitFor(), said);
                assertTrue(said.contains("verified"), said);
            }
        }
    }

    @Test
    @Tag("long")
    void givenEightVms_whenFourProcessesOfEachCompute_thenEachWorkloadIsVerified()
            throws Exception {
        List<String> vms = IntStream.range(0, 8).mapToObj(vm -> "vm" + vm).toList();
        try (BackendProcess backend = BackendProcess.start(folder, vms, OPTIONS)) {
            for (int i = 0; i < 4; i++) {
                for (String vm : vms) {
                    guests.add(run(backend, vm, "mmul", "--size=64"));
                }
            }

            for (Process guest : guests) {
                String said = output(guest);
                assertEquals(0, guest.waitFor(), said);
                assertTrue(said.contains("verified"), said);
            }
        }
    }

    @Test
    void givenKilledBackend_whenGuestWaitsForGpu_thenGuestReceivesError() throws Exception {
        try (BackendProcess backend = BackendProcess.start(folder, List.of("a"), OPTIONS);
                GpuContext guest = GpuContext.open(PvTransport.connect(backend.socket("a")))) {
            WorkloadRun endless = Workloads.named("loop").prepare(guest, 100_000_000, 1);
            endless.initialize();
            Thread killer = Thread.ofPlatform().start(backend::kill);

            GpuException e = assertThrows(GpuException.class, endless::launch);
            killer.join();

            assertEquals(GpuError.LOST, e.error());
            assertThrows(GpuException.class, () -> guest.allocate(1));
        }
    }

    private static Process run(BackendProcess backend, String guest, String... arguments)
            throws IOException {
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--socket", backend.socket(guest).toString()));
        List<String> command = ThisBuild.gpuvm(List.of(JvmOptions.kernels()), all);
        return new ProcessBuilder(command).start();
    }

    /// Returns the output of a process until it closes its output.
    private static String output(Process process) throws IOException {
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return out + new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
