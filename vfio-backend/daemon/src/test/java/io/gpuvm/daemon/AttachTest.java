package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.record.RecordLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of virtual machines that attach to a running backend, and detach.
@Timeout(120)
class AttachTest {
    private static final long MIB = 1L << 20;
    private static final String SMALL = "\"mode\":\"pv\",\"vram\":\"64M\"";
    private static final String CUDA = "\"mode\":\"cuda\",\"vram\":\"64M\"";

    @TempDir Path folder;

    private final AtomicBoolean failed = new AtomicBoolean();
    private ControlRequests control;
    private Backend backend;

    @AfterEach
    void stop() {
        backend.close();
        assertFalse(failed.get());
    }

    @ParameterizedTest
    @EnumSource(ThreadMode.class)
    void givenBackendWithoutVms_whenVmsOfBothKindsAttach_thenTheirProgramsCompute(
            ThreadMode threads) {
        start(threads, true);
        JsonNode attached = control.attach("a", SMALL);
        assertEquals(
                "{\"ok\":true,\"changed\":true,\"socket\":\"%s\",\"channels\":15}"
                        .formatted(folder.resolve("a.sock")),
                attached.toString());
        assertOk(control.attach("b", CUDA));

        try (HonestPvGuest guest = HonestPvGuest.start(folder.resolve("a.sock"), 1);
                CudaProgram program = CudaProgram.connect(folder.resolve("b.sock"))) {
            program.new Context(1).compute(4096, 3);
            guest.awaitRound();
        }

        assertEquals(2, backend.summary().vms().size());
        assertTrue(backend.summary().vms().getLast().commands().completed() > 0);
    }

    @Test
    void givenAttachedVm_whenAttachedAgain_thenSameSettingsAreAcceptedAndOthersAreNamed() {
        start(ThreadMode.SEPARATE, true);
        assertOk(control.attach("a", SMALL));

        JsonNode again = control.attach("a", "\"vram\":67108864,\"mode\":\"pv\"");
        JsonNode other = control.attach("a", SMALL + ",\"weight\":2");

        assertTrue(again.get("ok").asBoolean(), again::toString);
        assertFalse(again.get("changed").asBoolean());
        assertRefused("--vm a: weight=2, attached with weight=1", other);
        assertEquals(1, control.status().get("vms").size());
    }

    @Test
    void givenDetachedVm_whenDetachedAgain_thenRequestSucceedsWithoutChange() {
        start(ThreadMode.SEPARATE, true);
        JsonNode before = control.status();
        assertOk(control.attach("a", CUDA));

        JsonNode first = control.detach("a");
        JsonNode second = control.detach("a");

        assertEquals("{\"ok\":true,\"changed\":true}", first.toString());
        assertEquals("{\"ok\":true,\"changed\":false}", second.toString());
        assertEquals(before, control.status());
        assertTrue(backend.summary().vms().isEmpty());
        assertFalse(Files.exists(folder.resolve("a.sock")));
    }

    @Test
    void givenVmOfStart_whenDetachedAndAttachedAgain_thenVramIsZeroed() {
        start(ThreadMode.SEPARATE, true, "a,mode=pv,vram=64M,socket=" + folder.resolve("a.sock"));
        byte[] secret = new byte[4096];
        Arrays.fill(secret, (byte) 0x5a);
        GpuContext guest = VramProbe.fill(folder.resolve("a.sock"), secret, Long.MAX_VALUE);

        assertOk(control.detach("a"));
        guest.close();
        assertOk(control.attach("b", "\"mode\":\"pv\",\"vram\":\"100%\""));

        assertTrue(VramProbe.isZero(folder.resolve("b.sock"), 512 * MIB - MIB));
    }

    @Test
    void givenLiveSession_whenVmIsDetached_thenProgramGetsErrorAndNeighbourIsUnaffected() {
        start(ThreadMode.SEPARATE, true);
        assertOk(control.attach("n", SMALL));
        assertOk(control.attach("a", SMALL));
        assertOk(control.attach("c", CUDA));
        long free = control.status().get("freeVramBytes").asLong();
        try (HonestPvGuest neighbour = HonestPvGuest.start(folder.resolve("n.sock"), 7);
                PvTransport guest = PvTransport.connect(folder.resolve("a.sock"));
                GpuMemory _ = guest.allocateVram(8 * MIB);
                CudaProgram program = CudaProgram.connect(folder.resolve("c.sock"))) {
            CudaProgram.Context context = program.new Context(1);
            long flag = context.allocate(4096);
            context.launch(context.stream, CudaProgram.SPIN, 1, 32, flag, 0);
            neighbour.awaitRound();

            assertOk(control.detach("a"));
            assertOk(control.detach("c"));

            assertThrows(TransportException.class, () -> guest.allocateVram(MIB));
            program.awaitLoss();
            neighbour.awaitRound();
            assertEquals(free + 128 * MIB, control.status().get("freeVramBytes").asLong());
        }
    }

    @Test
    void givenPartsOfVram_whenLargeVmAttaches_thenItsVramHasSeveralParts() {
        start(ThreadMode.SEPARATE, true);
        for (int i = 0; i < 4; i++) {
            assertOk(control.attach("a" + i, "\"mode\":\"pv\",\"vram\":\"25%\""));
        }
        assertOk(control.detach("a0"));
        assertOk(control.detach("a2"));

        JsonNode refused = control.attach("b", "\"mode\":\"pv\",\"vram\":\"257M\"");
        assertRefused("vram=257M, free=256M, longest free range=128M, limit=16 parts", refused);
        assertOk(control.attach("b", "\"mode\":\"pv\",\"vram\":\"256M\""));

        try (PvTransport guest = PvTransport.connect(folder.resolve("b.sock"));
                GpuMemory all = guest.allocateVram(256 * MIB)) {
            assertEquals(256 * MIB, all.bytes());
        }
        try (HonestPvGuest guest = HonestPvGuest.start(folder.resolve("b.sock"), 5)) {
            guest.awaitRound();
        }
    }

    @Test
    void givenLimitOfSlots_whenMoreVmsAttach_thenRefusalNamesLimitAndDetachMakesRoom() {
        start(ThreadMode.SEPARATE, true, "soft,vram=2048M", new String[0]);
        for (int i = 0; i < BusPlan.MOST_SLOTS; i++) {
            assertOk(control.attach("a" + i, SMALL + ",\"channels\":2"));
        }
        assertRefused(
                "virtual machines=31, limit=30 (bus addresses)",
                control.attach("b", SMALL + ",\"channels\":2"));
        assertOk(control.detach("a7"));
        assertOk(control.attach("b", SMALL + ",\"channels\":2"));
        try (HonestPvGuest guest = HonestPvGuest.start(folder.resolve("b.sock"), 5)) {
            guest.awaitRound();
        }
    }

    @Test
    void givenNoOvercommitment_whenCapsExceedGpu_thenAttachmentAndChangeAreRefused() {
        start(ThreadMode.SEPARATE, false);
        assertOk(control.attach("a", SMALL + ",\"cap\":60"));

        String limit =
                "--overcommit no: the sum of all caps would be %d percent, limit=100 (no cap counts as 100)";
        assertRefused(limit.formatted(101), control.attach("b", SMALL + ",\"cap\":41"));
        assertRefused(limit.formatted(160), control.attach("b", SMALL));
        assertOk(control.attach("b", SMALL + ",\"cap\":40"));
        assertRefused(
                limit.formatted(101), control.ask("{\"request\":\"cap\",\"vm\":\"b\",\"cap\":41}"));
        assertOk(control.ask("{\"request\":\"cap\",\"vm\":\"a\",\"cap\":50}"));
        assertOk(control.ask("{\"request\":\"cap\",\"vm\":\"b\",\"cap\":50}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"mode\":\"fv\",\"vram\":\"64M\" | --vm x: mode=fv is fixed at the start of the"
                        + " backend, expected mode=pv or mode=cuda",
                "\"mode\":\"pv\",\"vram\":\"64M\",\"via\":\"vfio-user\" | --vm x: via=vfio-user is fixed"
                        + " at the start of the backend, expected via=socket",
                "\"mode\":\"pv\"                 | --vm x: vram=... is missing, free=384M",
                "\"mode\":\"pv\",\"vram\":true    | attach: vram=true, expected a string without"
                        + " commas, or a whole number",
                "\"mode\":\"pv\",\"vram\":\"64M,cap=5\" | attach: vram=\"64M,cap=5\", expected a string"
                        + " without commas, or a whole number",
                "\"mode\":\"pv\",\"vram\":\"600M\" | vram=600M, free=384M, longest free range=384M,"
                        + " limit=16 parts",
                "\"mode\":\"pv\",\"vram\":\"64M\",\"socket\":\"x\" | --vm x: socket=x, expected an"
                        + " absolute path",
                "\"mode\":\"pv\",\"vram\":\"64M\",\"socket\":\"/tmp/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                        + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\""
                        + " | --vm x: socket=/tmp/xxx",
                "\"mode\":\"pv\",\"vram\":\"64M\",\"hard\":1 | --vm x: key=hard, expected one of",
                "\"mode\":\"pv\",\"vram\":\"64M\",\"gpus\":2 | --vm x: gpus=2, expected 1",
            })
    void givenInvalidRequest_whenSent_thenRefusalNamesReasonAndNothingIsLost(
            String keys, String reason) {
        start(ThreadMode.SEPARATE, true, "a,mode=pv,vram=128M,socket=" + folder.resolve("a"));
        JsonNode before = control.status();
        JsonNode refused = control.attach("x", keys);
        assertRefused(reason, refused);
        assertEquals(before, control.status());
    }

    @Test
    void givenSocketOfOtherVm_whenVmAttaches_thenRefusalNamesOtherVm() throws IOException {
        start(ThreadMode.SEPARATE, true);
        assertOk(control.attach("a", SMALL));
        String socket = ",\"socket\":\"" + folder.resolve("a.sock") + "\"";
        assertRefused("is used by a", control.attach("b", SMALL + socket));
        Files.writeString(folder.resolve("c.sock"), "not a socket");
        long free = control.status().get("freeVramBytes").asLong();
        assertRefused("EADDRINUSE", control.attach("c", SMALL));
        assertEquals(free, control.status().get("freeVramBytes").asLong());
        assertEquals("not a socket", Files.readString(folder.resolve("c.sock")));
    }

    @Test
    void givenVmWithVirtualGpu_whenDetached_thenRefusalNamesMode() {
        start(ThreadMode.SEPARATE, true, "v,mode=fv,socket=" + folder.resolve("v"));
        assertRefused("mode=fv is fixed", control.detach("v"));
    }

    @Test
    void givenRecording_whenVmAttaches_thenRefusalNamesReason() {
        BackendConfig config =
                new BackendConfig(
                        GpuSpec.parse("soft,vram=512M"),
                        List.of(VmConfig.parse("a,mode=pv,vram=64M,socket=" + folder.resolve("a"))),
                        IdleMode.BLOCK,
                        BackendConfig.DEFAULT_COMMAND_LIMIT,
                        new BackendConfig.RecordingPlan(
                                folder.resolve("record"), RecordLevel.COMMANDS));
        open(config.with(BackendConfig.DEFAULT_POLICY, folder.resolve("ctl")));
        String reason = "--record: virtual machines are fixed at the start";
        assertRefused(reason, control.attach("b", SMALL));
        assertRefused(reason, control.detach("a"));
    }

    private void start(ThreadMode threads, boolean overcommits, String... vms) {
        start(threads, overcommits, "soft,vram=512M", vms);
    }

    private void start(ThreadMode threads, boolean overcommits, String gpu, String[] vms) {
        ControlPlan plan =
                new ControlPlan(folder.resolve("ctl"), SocketAccess.OWN_USER, overcommits);
        open(
                new BackendConfig(
                                GpuSpec.parse(gpu),
                                Arrays.stream(vms).map(VmConfig::parse).toList(),
                                IdleMode.BLOCK,
                                BackendConfig.DEFAULT_COMMAND_LIMIT,
                                null,
                                threads)
                        .with(BackendConfig.DEFAULT_POLICY, plan));
    }

    private void open(BackendConfig config) {
        backend = Backend.start(config, () -> failed.set(true));
        control = new ControlRequests(folder.resolve("ctl"));
    }

    private static void assertOk(JsonNode answer) {
        assertTrue(answer.get("ok").asBoolean(), answer::toString);
    }

    private static void assertRefused(String reason, JsonNode answer) {
        assertFalse(answer.get("ok").asBoolean(), answer::toString);
        assertTrue(answer.get("error").asText().contains(reason), answer::toString);
    }
}
