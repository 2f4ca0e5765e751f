package io.gpuvm.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the findings on a node that is ready, after one change to it.
class SlurmChecksTest {
    @TempDir private Path folder;
    private final Set<String> silent = new HashSet<>();
    private String munge;
    private int owner;

    @BeforeEach
    void setUp() throws IOException {
        owner = (Integer) Files.getAttribute(folder, "unix:uid");
        Path hooks = Files.createDirectory(folder.resolve("hooks"));
        for (String hook : List.of("prolog", "epilog", "task-prolog", "sweep")) {
            Files.createFile(
                    hooks.resolve(hook),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwxr-xr-x")));
        }
        write("hooks/functions", "");
        write(
                "slurm.conf",
                """
                # comment
                SelectType=select/cons_tres
                GresTypes=gpu,shard   # both
                Prolog=HOOKS/prolog
                Epilog=HOOKS/epilog
                TaskProlog=HOOKS/task-prolog
                PrologFlags=Alloc,DeferBatch
                JobSubmitPlugins=lua
                HealthCheckProgram=HOOKS/sweep
                HealthCheckInterval=60
                NodeName=gpu[1-2] CPUs=4 Gres=gpu:2,shard:200
                NodeName=cpu1 CPUs=4
                """
                        .replace("HOOKS", hooks.toString()));
        write(
                "gres.conf",
                """
                AutoDetect=off
                NodeName=gpu[1-2] Name=gpu File=/dev/null Flags=no_gpu_env
                NodeName=gpu[1-2] Name=gpu File=/dev/zero Flags=no_gpu_env
                NodeName=gpu[1-2] Name=shard Count=100 File=/dev/null
                NodeName=gpu[1-2] Name=shard Count=100 File=/dev/zero
                """);
        write("gpuvm.conf", "RUN=/run/there/$SLURMD_NODENAME\nAUTHORITY=" + folder + "\n");
        write("job_submit.lua", "");
        write("ca.pem", "");
    }

    @Test
    void givenCompleteNode_whenExamined_thenNothingIsMissing() {
        assertEquals(List.of(), missing("gpu1"));
    }

    @Test
    void givenNodeWithoutGpus_whenExamined_thenNoBackendIsRequired() {
        silent.add("/run/there/cpu1/gpu0.ctl");

        assertEquals(List.of(), missing("cpu1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slurm.conf | select/cons_tres     | select/linear   | SelectType",
                "slurm.conf | GresTypes=gpu,shard  | GresTypes=gpu   | GresTypes",
                "slurm.conf | Alloc,DeferBatch     | Serial          | PrologFlags",
                "slurm.conf | JobSubmitPlugins=lua |                 | JobSubmitPlugins",
                "slurm.conf | Interval=60          | Interval=0      | HealthCheckInterval",
                "slurm.conf | HealthCheckProgram=  | None=           | HealthCheckProgram",
                "slurm.conf | hooks/epilog         | hooks/nothing   | Epilog",
                "slurm.conf | gpu[1-2]             | gpu[3-4]        | NodeName",
                "slurm.conf | shard:200            | shard:2         | Gres",
                "gres.conf  | Name=shard Count=100 File=/dev/zero | Name=other | gres.conf",
                "gres.conf  | File=/dev/null       | File=/etc/passwd | gres.conf 0",
                "gres.conf  | Count=100 File=/dev/zero | Count=50 File=/dev/zero | gres.conf 1",
            })
    void givenOneChange_whenExamined_thenItsPointIsMissing(
            String file, String before, String after, String point) throws IOException {
        String text = Files.readString(folder.resolve(file));
        assertTrue(text.contains(before));
        write(file, text.replace(before, after == null ? "" : after));

        assertEquals(List.of(point), missing("gpu1"));
    }

    @Test
    void givenSilentBackend_whenExamined_thenItsGpuIsMissing() {
        silent.add("/run/there/gpu1/gpu1.ctl");

        assertEquals(List.of("gpu1"), missing("gpu1"));
    }

    @Test
    void givenNoMunge_whenExamined_thenItIsMissing() {
        munge = "MUNGE: no socket";

        assertEquals(List.of("MUNGE"), missing("gpu1"));
    }

    @Test
    void givenHookThatOthersCanWrite_whenExamined_thenItIsMissing() throws IOException {
        Files.setPosixFilePermissions(
                folder.resolve("hooks/sweep"), PosixFilePermissions.fromString("rwxrwxr-x"));

        assertEquals(List.of("HealthCheckProgram"), missing("gpu1"));
    }

    @Test
    void givenHookInFolderThatOthersCanWrite_whenExamined_thenItIsMissing() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.move(folder.resolve("hooks/epilog"), open.resolve("epilog"));
        String text = Files.readString(folder.resolve("slurm.conf"));
        write("slurm.conf", text.replace("hooks/epilog", "open/epilog"));

        assertEquals(List.of("Epilog"), missing("gpu1"));
    }

    @Test
    void givenHookThatIsNotExecutable_whenExamined_thenItIsMissing() throws IOException {
        Files.setPosixFilePermissions(
                folder.resolve("hooks/prolog"), PosixFilePermissions.fromString("rw-r--r--"));

        assertEquals(List.of("Prolog"), missing("gpu1"));
    }

    @Test
    void givenIncludedFile_whenExamined_thenItsLinesCount() throws IOException {
        Files.move(folder.resolve("slurm.conf"), folder.resolve("site.conf"));
        write("slurm.conf", "Include site.conf\n");

        assertEquals(List.of(), missing("gpu1"));
    }

    @Test
    void givenNoFile_whenExamined_thenOnlyItIsMissing() throws IOException {
        Files.delete(folder.resolve("slurm.conf"));

        assertEquals(List.of("slurm.conf"), missing("gpu1"));
    }

    private List<String> missing(String node) {
        SlurmSite site =
                new SlurmSite(
                        folder.resolve("slurm.conf"),
                        node,
                        owner,
                        socket -> !silent.contains(socket.toString()),
                        () -> munge);
        return SlurmChecks.of(site).stream()
                .filter(finding -> finding.status() == Status.MISSING)
                .map(Finding::point)
                .toList();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
