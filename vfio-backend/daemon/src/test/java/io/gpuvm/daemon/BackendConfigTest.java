package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.SocketAccess;
import io.gpuvm.pv.host.PvQuotas;
import io.gpuvm.record.RecordLevel;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import io.gpuvm.vfio.PciAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackendConfigTest {
    @Test
    void givenAllKeys_whenVmIsParsed_thenAllValuesAreSet() {
        VmConfig vm =
                VmConfig.parse(
                        "vm0,mode=fv,socket=/tmp/vm0.sock,shadow=lazy,map=bar3+pramin,vram=257M");

        assertEquals(
                new VmConfig(
                        "vm0",
                        VmMode.FV,
                        Path.of("/tmp/vm0.sock"),
                        ShadowStrategy.LAZY,
                        DirectMapping.BAR3_PRAMIN,
                        VramSize.ofBytes(257L << 20)),
                vm);
    }

    @Test
    void givenMandatoryKeysOnly_whenVmIsParsed_thenDefaultsApply() {
        VmConfig vm = VmConfig.parse("vm0,mode=passthrough,socket=/tmp/vm0.sock");

        assertEquals(
                new VmConfig(
                        "vm0",
                        VmMode.PASSTHROUGH,
                        Path.of("/tmp/vm0.sock"),
                        ShadowStrategy.INCREMENTAL,
                        null,
                        VramSize.EQUAL_PART),
                vm);
    }

    @Test
    void givenNoMapping_whenConfigured_thenSoftwareGpuMapsAllBarsAndCardMapsNone() {
        String vm = "a,mode=fv,socket=/a";

        assertEquals(DirectMapping.ALL, mappingOn("soft", vm));
        assertEquals(DirectMapping.NONE, mappingOn("vfio:01:00.0", vm));
    }

    @Test
    void givenPassThrough_whenConfigured_thenSoftwareGpuMapsRequestedBarsOnly() {
        String vm = "a,mode=passthrough,socket=/a";

        assertEquals(DirectMapping.NONE, mappingOn("soft", vm));
        assertEquals(DirectMapping.ALL, mappingOn("soft", vm + ",map=all"));
        assertEquals(DirectMapping.NONE, mappingOn("vfio:01:00.0", vm + ",map=none"));
    }

    @Test
    void givenTrustedVmm_whenCardIsConfigured_thenBar3MayBeMapped() {
        VmConfig vm = on("vfio:01:00.0", "a,mode=fv,socket=/a,map=bar3,trust-vmm=yes");

        assertEquals(DirectMapping.BAR3, vm.mapping());
        assertTrue(vm.trustsVmm());
        assertEquals(DirectMapping.NONE, mappingOn("vfio:01:00.0", "a,mode=fv,socket=/a,map=none"));
        assertFalse(on("soft", "a,mode=fv,socket=/a,map=bar3,trust-vmm=no").trustsVmm());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vfio:01:00.0 | fv,map=bar3                      | --vm a: map=bar3: a card requires map=none:"
                        + " QEMU would map through the card's own VFIO descriptor",
                "vfio:01:00.0 | fv,map=bar3                      | If QEMU is trusted with this descriptor:"
                        + " map=bar3,trust-vmm=yes",
                "vfio:01:00.0 | fv,map=all,trust-vmm=no          | --vm a: map=all: a card requires map=none",
                "vfio:01:00.0 | fv,map=all,trust-vmm=yes         | --vm a: trust-vmm=yes requires map=bar3",
                "vfio:01:00.0 | fv,map=none,trust-vmm=yes        | --vm a: trust-vmm=yes requires map=bar3",
                "vfio:01:00.0 | fv,trust-vmm=yes                 | --vm a: trust-vmm=yes requires map=bar3",
                "soft         | fv,map=bar3,trust-vmm=yes        | --vm a: trust-vmm=yes requires --gpu vfio:BDF",
                "vfio:01:00.0 | pv,map=bar3,trust-vmm=yes        | --vm a: trust-vmm=yes requires mode=fv",
                "vfio:01:00.0 | passthrough,map=bar3,trust-vmm=yes | --vm a: trust-vmm=yes requires mode=fv",
                "vfio:01:00.0 | passthrough,map=all              | --vm a: map=all: a card with mode=passthrough"
                        + " requires map=none",
                "soft         | fv,trust-vmm=maybe               | --vm a: trust-vmm=maybe, expected one of"
                        + " no, yes",
            })
    void givenUnsupportedMapping_whenConfigured_thenRefusalNamesReasonAndRemedy(
            String gpu, String mode, String message) {
        String vm = "a,socket=/a,mode=" + mode;

        ConfigException e = assertThrows(ConfigException.class, () -> on(gpu, vm));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    private static DirectMapping mappingOn(String gpu, String vm) {
        return on(gpu, vm).mapping();
    }

    private static VmConfig on(String gpu, String vm) {
        return new BackendConfig(
                        GpuSpec.parse(gpu),
                        List.of(VmConfig.parse(vm)),
                        IdleMode.BACKOFF,
                        BackendConfig.DEFAULT_COMMAND_LIMIT)
                .vms()
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource({"4M, 4194304", "1M, 1048576", "64M, 67108864"})
    void givenArena_whenVmIsParsed_thenSizeIsSet(String size, long bytes) {
        VmConfig vm = VmConfig.parse("vm0,mode=fv,socket=/tmp/vm0.sock,arena=" + size);
        assertEquals(bytes, vm.arenaBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1023K", "65M", "4M1", "1049000", ""})
    void givenArenaOfInvalidSize_whenVmIsParsed_thenSizeIsRefused(String size) {
        assertThrows(
                ConfigException.class,
                () -> VmConfig.parse("vm0,mode=fv,socket=/tmp/vm0.sock,arena=" + size));
    }

    @Test
    void givenAllQuotas_whenParavirtualVmIsParsed_thenAllQuotasAreSet() {
        VmConfig vm =
                VmConfig.parse(
                        "a,mode=pv,socket=/tmp/a,vram=64M,sessions=8,data=1M,handles=2,spaces=3,channels=4,"
                                + "pages=5,in-flight=6,waits=7");

        assertEquals(VmMode.PV, vm.mode());
        assertEquals(VramSize.ofBytes(64L << 20), vm.vram());
        assertEquals(new PvQuotas(8, 1 << 20, 2, 3, 4, 5, 6, 7, 0), vm.quotas());
        assertEquals(PvQuotas.DEFAULT, VmConfig.parse("a,mode=pv,socket=/tmp/a").quotas());
    }

    @Test
    void givenQuotas_whenVmOfCudaProgramsIsParsed_thenOthersHaveDefaultsOfCuda() {
        PvQuotas usual = PvQuotas.CUDA;
        VmConfig vm =
                VmConfig.parse(
                        "a,mode=cuda,socket=/tmp/a,vram=64M,sessions=2,data=1M,spaces=3,via=vfio-user");

        assertEquals(VmMode.CUDA, vm.mode());
        assertEquals(PvVia.VFIO_USER, vm.via());
        assertEquals(
                new PvQuotas(
                        2,
                        1 << 20,
                        usual.handles(),
                        3,
                        usual.channels(),
                        usual.mappedPages(),
                        usual.commandsInFlight(),
                        usual.waits(),
                        usual.privateBytes()),
                vm.quotas());
        assertEquals(usual, VmConfig.parse("a,mode=cuda,socket=/tmp/a").quotas());
        assertTrue(usual.privateBytes() > 0);
    }

    @Test
    void givenParavirtualGuestsOnFewProcessors_whenModeIsChosen_thenPartsShareOneThread() {
        VmConfig pv = VmConfig.parse("a,mode=pv,socket=/a");
        VmConfig fv = VmConfig.parse("b,mode=fv,socket=/b");

        VmConfig cuda = VmConfig.parse("c,mode=cuda,socket=/c");

        assertEquals(ThreadMode.COMPACT, ThreadMode.usualFor(List.of(pv, cuda), 3));
        assertEquals(ThreadMode.SEPARATE, ThreadMode.usualFor(List.of(pv), 4));
        assertEquals(ThreadMode.SEPARATE, ThreadMode.usualFor(List.of(pv, fv), 2));
    }

    @Test
    void givenOptionUnavailableInMode_whenConfigured_thenConfigurationIsRefused() {
        assertRefused(
                "--threads compact", ThreadMode.COMPACT, null, "a,mode=passthrough,socket=/a");
        assertRefused(
                "--record: mode=pv sends no messages; use --record-level commands",
                ThreadMode.SEPARATE,
                new BackendConfig.RecordingPlan(Path.of("/r"), RecordLevel.MESSAGES),
                "a,mode=pv,socket=/a");
        assertRefused(
                "--record: mode=cuda sends no messages; use --record-level commands",
                ThreadMode.SEPARATE,
                new BackendConfig.RecordingPlan(Path.of("/r"), RecordLevel.MESSAGES),
                "a,mode=cuda,socket=/a");
    }

    private static void assertRefused(
            String message, ThreadMode threads, BackendConfig.RecordingPlan recording, String vm) {
        List<VmConfig> vms = List.of(VmConfig.parse(vm));
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () ->
                                new BackendConfig(
                                        GpuSpec.parse("soft"),
                                        vms,
                                        IdleMode.BLOCK,
                                        BackendConfig.DEFAULT_COMMAND_LIMIT,
                                        recording,
                                        threads));
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vm0,mode=passthrough                       | socket=... is missing",
                "vm0,socket=/tmp/a                          | mode=... is missing",
                "vm0,mode=magic,socket=/tmp/a               | mode=magic, expected one of"
                        + " passthrough, fv, pv, cuda",
                "vm0,mode=fv,socket=/tmp/a,color=red        | --vm vm0: key=color, expected one of"
                        + " arena, cap, gid, gpus, map, mode, shadow, socket, trust-vmm, uid, vram, weight",
                "vm0,mode=passthrough,socket=/tmp/a,vram=1G | --vm vm0: vram=1024M:"
                        + " not valid with mode=passthrough",
                "vm0,mode=fv,socket=/tmp/a,vram=big         | --vm vm0: vram=big, expected a number of"
                        + " bytes with an optional suffix K, M or G",
                "vm0,mode=fv,socket=/tmp/a,vram=100000K     | --vm vm0: vram=102400000 bytes,"
                        + " expected a multiple of 1048576",
                "vm0,mode=fv,socket=/tmp/a,vram=63M         | --vm vm0: vram=66060288 bytes,"
                        + " expected 67108864 to 6442450944",
                "vm0,mode=fv,socket=/tmp/a,vram=6145M       | --vm vm0: vram=6443499520 bytes,"
                        + " expected 67108864 to 6442450944",
                "vm0,mode=fv,socket=/tmp/a,shadow=eager     | --vm vm0: shadow=eager, expected"
                        + " one of naive, lazy, incremental",
                "vm0,mode=fv,socket=/tmp/a,map=bar1         | --vm vm0: map=bar1, expected one of"
                        + " none, bar3, bar3+pramin, all",
                "vm0,mode=fv,socket=/tmp/a,data=1G          | --vm vm0: key=data, expected one of"
                        + " arena, cap, gid, gpus, map, mode, shadow, socket, trust-vmm, uid, vram, weight",
                "vm0,mode=pv,socket=/tmp/a,data=4097        | --vm vm0: data=4097, expected a multiple"
                        + " of 4096",
                "vm0,mode=pv,socket=/tmp/a,data=0           | --vm vm0: data=0, expected 4096 to",
                "vm0,mode=pv,socket=/tmp/a,sessions=0       | --vm vm0: sessions=0, expected 1 to 64",
                "vm0,mode=pv,socket=/tmp/a,sessions=65      | --vm vm0: sessions=65, expected 1 to 64",
                "vm0,mode=pv,socket=/tmp/a,data=2052M       | --vm vm0: sessions=16,data=2151677952:"
                        + " together 34426847232 bytes, limit=34359738368",
                "vm0,mode=pv,socket=/tmp/a,data=33G,sessions=1 | --vm vm0: sessions=1,data=35433480192:"
                        + " together 35433480192 bytes, limit=34359738368",
                "vm0,mode=pv,socket=/tmp/a,handles=0        | --vm vm0: handles=0, expected 1 to"
                        + " 65536",
                "vm0,mode=pv,socket=/tmp/a,spaces=129       | --vm vm0: spaces=129, expected 1 to 128",
                "vm0,mode=pv,socket=/tmp/a,channels=-1      | --vm vm0: channels=-1, expected 1 to"
                        + " 128",
                "vm0,mode=pv,socket=/tmp/a,via=bus          | --vm vm0: via=bus, expected one of"
                        + " socket, vfio-user",
                "vm0,mode=pv,socket=/tmp/a,pages=many       | --vm vm0: pages=many, expected a number",
                "vm0,mode=pv,socket=/tmp/a,in-flight=16385  | --vm vm0: in-flight=16385, expected 1 to"
                        + " 16384",
                "vm0,mode=pv,socket=/tmp/a,waits=0          | --vm vm0: waits=0, expected 1 to 16384",
                "vm0,mode=cuda,socket=/tmp/a,waits=1        | --vm vm0: key=waits, expected one of arena, cap,"
                        + " channels, data, gid, gpus, handles, map, mode, pages, sessions, shadow, socket,"
                        + " spaces, trust-vmm, uid, via, vram, weight",
                "vm0,mode=cuda,socket=/tmp/a,data=2G        | --vm vm0: sessions=16,data=2147483648:"
                        + " together 35433480192 bytes, limit=34359738368",
                "vm0,mode=fv,socket=/tmp/a,weight=0         | --vm vm0: weight=0, expected 1 to 10000",
                "vm0,mode=fv,socket=/tmp/a,weight=much      | --vm vm0: weight=much, expected a number",
                "vm0,mode=pv,socket=/tmp/a,cap=101          | --vm vm0: cap=101, expected 1 to 100",
                "vm0,mode=passthrough,socket=/tmp/a,cap=50  | --vm vm0: weight=1,cap=50: not valid"
                        + " with mode=passthrough",
                "a/b,mode=passthrough,socket=/tmp/a         | the name must match",
            })
    void givenInvalidVm_whenParsed_thenMessageNamesReason(String text, String message) {
        ConfigException e = assertThrows(ConfigException.class, () -> VmConfig.parse(text));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    @Test
    void givenWeightAndCap_whenParsed_thenShareHasWeightAndCap() {
        VmConfig vm = VmConfig.parse("vm0,mode=fv,socket=/tmp/a,weight=3,cap=40");

        assertEquals(new TimeShare(3, 40), vm.share());
        assertEquals(TimeShare.EQUAL, VmConfig.parse("vm0,mode=fv,socket=/tmp/a").share());
    }

    @Test
    void givenSocketOfVm_whenUsedAsControlSocket_thenConfigurationIsRefused() {
        VmConfig fv = VmConfig.parse("vm0,mode=fv,socket=/tmp/a");

        assertTrue(refusalOf(config(fv), "/tmp/../tmp/a").contains("is the socket of a --vm"));
    }

    @Test
    void givenPassThrough_whenControlSocketIsConfigured_thenConfigurationIsAccepted() {
        BackendConfig whole = config(vm("vm0", "/tmp/a"));

        Path control = Path.of("/tmp/c");
        assertEquals(control, whole.with(BackendConfig.DEFAULT_POLICY, control).control().socket());
    }

    private static BackendConfig config(VmConfig vm) {
        return new BackendConfig(
                GpuSpec.parse("soft"),
                List.of(vm),
                IdleMode.BACKOFF,
                BackendConfig.DEFAULT_COMMAND_LIMIT);
    }

    private static String refusalOf(BackendConfig config, String control) {
        return assertThrows(
                        ConfigException.class,
                        () -> config.with(BackendConfig.DEFAULT_POLICY, Path.of(control)))
                .getMessage();
    }

    @Test
    void givenPathLongerThanSocketAddress_whenParsed_thenLimitIsNamed() {
        String path = "/tmp/" + "x".repeat(103);

        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> VmConfig.parse("vm0,mode=passthrough,socket=" + path));

        assertTrue(e.getMessage().contains("has 108 bytes, limit=107"), e::getMessage);
    }

    @Test
    void givenNoVm_whenStarted_thenControlSocketIsRequired() {
        BackendConfig none =
                new BackendConfig(
                        GpuSpec.parse("soft"),
                        List.of(),
                        IdleMode.BACKOFF,
                        BackendConfig.DEFAULT_COMMAND_LIMIT);
        ConfigException e =
                assertThrows(ConfigException.class, () -> Backend.start(none, () -> {}));
        assertTrue(e.getMessage().contains("at least one --vm, or --ctl"), e::getMessage);
    }

    @Test
    void givenNoOvercommitment_whenCapsExceedGpu_thenConfigurationIsRefused() {
        ControlPlan control = new ControlPlan(Path.of("/c"), SocketAccess.OWN_USER, false);
        BackendConfig within = shared("a,mode=pv,cap=60,socket=/a", "b,mode=pv,cap=40,socket=/b");
        assertEquals(control, within.with(BackendConfig.DEFAULT_POLICY, control).control());
        BackendConfig beyond = shared("a,mode=pv,cap=60,socket=/a", "b,mode=pv,socket=/b");
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> beyond.with(BackendConfig.DEFAULT_POLICY, control));
        assertEquals(
                "--overcommit no: the sum of all caps would be 160 percent, limit=100 (no cap counts as 100)",
                e.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vram=0%     | vram=0%, expected 1% to 100%",
                "vram=101%   | vram=101%, expected 1 to 100",
                "vram=x%     | vram=x%, expected 1% to 100%",
                "gpus=2      | gpus=2, expected 1 (a backend owns one GPU)",
                "uid=-1      | uid=-1, expected 0 or more",
                "gid=staff   | gid=staff, expected a number",
            })
    void givenInvalidValue_whenVmIsParsed_thenRefusalNamesValueAndLimit(
            String key, String message) {
        ConfigException e =
                assertThrows(
                        ConfigException.class, () -> VmConfig.parse("a,mode=pv,socket=/a," + key));
        assertEquals("--vm a: " + message, e.getMessage());
    }

    @Test
    void givenFolder_whenVmNamesNoSocket_thenSocketIsInFolder() {
        VmConfig vm = VmConfig.parse("a,mode=cuda,uid=5,gpus=1,vram=25%", Path.of("/run/gpuvm"));
        assertEquals(Path.of("/run/gpuvm/a.sock"), vm.socket());
        assertEquals(new SocketAccess(5, SocketAccess.NONE), vm.access());
        assertEquals(256L << 20, vm.vramBytes(1L << 30));
        ConfigException e =
                assertThrows(ConfigException.class, () -> VmConfig.parse("a,mode=cuda"));
        assertEquals("--vm a: socket=... is missing", e.getMessage());
    }

    @Test
    void givenTwoVms_whenCompared_thenFirstDifferenceIsNamed() {
        VmConfig vm = VmConfig.parse("a,mode=cuda,socket=/x/a,vram=64M");
        assertNull(VmConfig.parse("a,mode=cuda,vram=64M,socket=/x/./a,cap=100").difference(vm));
        assertEquals(
                "vram=65M, attached with vram=64M",
                VmConfig.parse("a,mode=cuda,socket=/x/a,vram=65M").difference(vm));
        assertEquals(
                "mode=pv, attached with mode=cuda",
                VmConfig.parse("a,mode=pv,socket=/x/a,vram=64M").difference(vm));
    }

    private static BackendConfig shared(String... vms) {
        return new BackendConfig(
                GpuSpec.parse("soft"),
                Arrays.stream(vms).map(VmConfig::parse).toList(),
                IdleMode.BACKOFF,
                BackendConfig.DEFAULT_COMMAND_LIMIT);
    }

    @Test
    void givenDuplicateName_whenConfigured_thenConfigurationIsRefused() {
        assertRefused("--vm a is given twice", vm("a", "/tmp/1"), vm("a", "/tmp/2"));
    }

    @Test
    void givenDuplicateSocket_whenConfigured_thenConfigurationIsRefused() {
        assertRefused("is used by another", vm("a", "/tmp/x/../1"), vm("b", "/tmp/1"));
    }

    @Test
    void givenTwoPassThroughVms_whenConfigured_thenConfigurationIsRefused() {
        assertRefused("limit=1", vm("a", "/tmp/1"), vm("b", "/tmp/2"));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 3601})
    void givenCommandLimitOutOfRange_whenConfigured_thenRangeIsNamed(long seconds) {
        assertRefused(
                "--command-limit " + seconds + ", expected 1 to 3600 seconds",
                Duration.ofSeconds(seconds),
                vm("a", "/tmp/1"));
    }

    @Test
    void givenUnknownKindOfGpu_whenParsed_thenKnownKindsAreNamed() {
        ConfigException e = assertThrows(ConfigException.class, () -> GpuSpec.parse("voodoo"));

        assertTrue(e.getMessage().contains("expected one of soft, vfio:BDF"), e::getMessage);
    }

    @Test
    void givenCard_whenParsed_thenOnlyAddressIsAccepted() {
        GpuSpec card = GpuSpec.parse("vfio:01:00.0");
        assertEquals(new GpuSpec.Vfio(new PciAddress(0, 1, 0, 0)), card);

        for (String bad : List.of("vfio:", "vfio:gpu", "vfio:01:00.0,vram=1G")) {
            ConfigException e = assertThrows(ConfigException.class, () -> GpuSpec.parse(bad));
            assertTrue(e.getMessage().startsWith("--gpu vfio:"), e::getMessage);
        }
    }

    @Test
    void givenEngineOption_whenParsedWithGpu_thenGpuHasExecutionMode() {
        assertEquals(GpuSpec.parse("soft,engine=compiled"), GpuSpec.parse("soft", "compiled"));
        assertEquals(
                GpuSpec.parse("soft,vram=1G,engine=tiered"),
                GpuSpec.parse("soft,engine=tiered,vram=1G", "tiered"));
        assertEquals(GpuSpec.parse("soft"), GpuSpec.parse("soft", null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "soft                    | fast     | --engine: engine=fast, expected one of"
                        + " interpreter, compiled, tiered",
                "soft                    | ''       | --engine: engine=, expected ",
                "soft,engine=interpreter | compiled | --engine compiled: expected interpreter, as in"
                        + " --gpu soft,engine=interpreter",
                "soft,engine=fast        | compiled | --gpu soft,engine=fast: engine=fast, expected ",
                "vfio:01:00.0            | compiled | --engine compiled requires a software GPU,"
                        + " not --gpu vfio:01:00.0",
            })
    void givenUnsupportedEngineOption_whenParsed_thenRefusalNamesReason(
            String gpu, String engine, String message) {
        ConfigException e = assertThrows(ConfigException.class, () -> GpuSpec.parse(gpu, engine));

        assertTrue(e.getMessage().startsWith(message), e::getMessage);
    }

    private static VmConfig vm(String name, String socket) {
        return VmConfig.of(name, VmMode.PASSTHROUGH, Path.of(socket));
    }

    private static void assertRefused(String message, VmConfig... vms) {
        assertRefused(message, BackendConfig.DEFAULT_COMMAND_LIMIT, vms);
    }

    private static void assertRefused(String message, Duration commandLimit, VmConfig... vms) {
        List<VmConfig> list = Arrays.asList(vms);
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () ->
                                new BackendConfig(
                                        GpuSpec.parse("soft"),
                                        list,
                                        IdleMode.BACKOFF,
                                        commandLimit));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }
}
