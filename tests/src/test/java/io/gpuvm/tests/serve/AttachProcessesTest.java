package io.gpuvm.tests.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpuvm.pv.remote.PvTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Tests of virtual machines that attach and detach, with a backend, programs and `gpuvm ctl` in
/// separate processes, also of other users.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("commands")
class AttachProcessesTest {
    private static final Path CONTROL_CLIENT =
            Path.of(System.getProperty("gpuvm.root"), "vfio-backend/cli/target/bin/gpuvm-ctl");

    /// Users and groups without rights.
    private static final int OTHER = 65_534;

    private static final int THIRD = 65_533;

    @TempDir private Path folder;

    @RegisterExtension private final GpuvmCommand serve = new GpuvmCommand("serve");
    @RegisterExtension private final GpuvmCommand run = new GpuvmCommand("run");

    private final List<Process> others = new ArrayList<>();
    private BufferedReader ready;
    private String out;

    @BeforeEach
    void requireClient() {
        assumeTrue(Files.isExecutable(CONTROL_CLIENT), "no C compiler when gpuvm was built");
    }

    @AfterEach
    void end() throws IOException {
        others.forEach(Process::destroyForcibly);
        if (ready != null) {
            ready.close();
        }
    }

    @Test
    void givenBackendWithoutVms_whenVmAttachesAndDetaches_thenProgramsComputeUntilDetachment()
            throws Exception {
        start();
        JsonNode before = status();
        ctl(0, "attach", "a,mode=pv,vram=128M");
        String socket = out.strip();
        run.environment(PvTransport.SOCKET_VARIABLE, socket);

        Process first = run.start("mmul", "--size=64");
        assertEquals(0, first.waitFor(), GpuvmCommand.errorsOf(first));

        Process endless = run.start("loop", "--size=100000000");
        BufferedReader errors = endless.errorReader();
        assertEquals("loop, size 100000000 ...", errors.readLine());
        Process detaching = start(List.of(), "detach", "a");
        assertEquals("fair,wait=500us,idle=20,patience=20000us", status().get("policy").asText());
        assertEquals(0, detaching.waitFor());

        assertEquals(1, endless.waitFor());
        String lines = String.join("\n", errors.readAllLines());
        assertTrue(lines.contains("gpuvm: "), lines);
        assertFalse(lines.contains("\tat "), lines);
        assertFalse(Files.exists(Path.of(socket)));
        assertEquals(before, status());
    }

    @Test
    void givenUidOfVm_whenUsersConnect_thenOnlyThatUserIsAdmitted() throws Exception {
        requireRoot();
        Path client = CProgram.compile("tests/pv-client/client.c", folder);
        start();
        ctl(0, "attach", "a,mode=pv,vram=64M,uid=" + OTHER);
        Path socket = Path.of(out.strip());
        assertEquals(OTHER, Files.getAttribute(socket, "unix:uid"));

        assertEquals(0, runAs(OTHER, client, socket), out);
        assertEquals(1, runAs(THIRD, client, socket));
        // Even if the file were accessible, the kernel's report about the peer decides.
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertEquals(1, runAs(THIRD, client, socket));
        String reason =
                "refused: uid=%1$d gid=%1$d may not connect, expected uid 0 or %2$d"
                        .formatted(THIRD, OTHER);
        assertTrue(out.contains(reason), out);
    }

    @Test
    void givenGroupOfControlSocket_whenUsersConnect_thenOnlyThatGroupIsAdmitted() throws Exception {
        requireRoot();
        start("--ctl-group", String.valueOf(OTHER));
        List<String> member = as(OTHER);
        assertEquals(0, finish(start(member, "attach", "a,mode=pv,vram=64M")), out);
        assertEquals(1, finish(start(as(THIRD), "status")));
        assertTrue(out.contains("Permission denied"), out);
        Files.setPosixFilePermissions(control(), PosixFilePermissions.fromString("rw-rw-rw-"));
        assertEquals(2, finish(start(as(THIRD), "status")));
        assertTrue(out.contains("uid=65533 gid=65533 may not connect"), out);
    }

    @Test
    void givenNeitherVmNorControlSocket_whenStarted_thenErrorNamesBoth() throws Exception {
        Process backend = serve.start("--gpu", "soft,vram=512M");
        assertEquals(2, backend.waitFor());
        String errors = GpuvmCommand.errorsOf(backend);
        assertTrue(errors.contains("expected at least one --vm, or --ctl"), errors);
    }

    private void start(String... more) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> words =
                new ArrayList<>(List.of("--gpu", "soft,vram=512M", "--ctl", control().toString()));
        words.addAll(Arrays.asList(more));
        Process backend = serve.start(words.toArray(String[]::new));
        ready = backend.inputReader();
        assertEquals("ready", ready.readLine());
    }

    private Path control() {
        return folder.resolve("ctl");
    }

    private JsonNode status() throws IOException, InterruptedException {
        ctl(0, "status", "--json");
        return new ObjectMapper().readTree(out);
    }

    private void ctl(int expected, String... words) throws IOException, InterruptedException {
        assertEquals(expected, finish(start(List.of(), words)), out);
    }

    /// Starts `gpuvm ctl`.
    ///
    /// @param starter words that precede the program
    private Process start(List<String> starter, String... words) throws IOException {
        List<String> command = new ArrayList<>(starter);
        command.add(CONTROL_CLIENT.toString());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(Map.of("GPUVM_CTL", control().toString()));
        Process process = builder.start();
        others.add(process);
        return process;
    }

    private int runAs(int user, Path program, Path socket)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(as(user));
        command.addAll(List.of(program.toString(), socket.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        others.add(process);
        return finish(process);
    }

    /// Waits for the end of a process, and keeps its output.
    private int finish(Process process) throws IOException, InterruptedException {
        out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    /// Returns words that precede a program of another user.
    private static List<String> as(int user) {
        return List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups");
    }

    private void requireRoot() throws IOException {
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "only root may start processes of other users");
        assumeTrue(isReachable(CONTROL_CLIENT), "other users cannot reach " + CONTROL_CLIENT);
    }

    /// Returns whether all users may enter the folders of a file.
    private static boolean isReachable(Path file) throws IOException {
        for (Path at = file.getParent(); at != null; at = at.getParent()) {
            if (((int) Files.getAttribute(at, "unix:mode") & 1) == 0) {
                return false;
            }
        }
        return true;
    }
}
