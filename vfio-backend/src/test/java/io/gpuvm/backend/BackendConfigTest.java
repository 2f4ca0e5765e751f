package io.gpuvm.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.vfio.PciAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackendConfigTest {
    @Test
    void givenAllKeys_whenVmIsParsed_thenEachHasItsValue() {
        VmConfig vm = VmConfig.parse("vm0,mode=passthrough,socket=/tmp/vm0.sock");

        assertEquals(
                new VmConfig(
                        "vm0",
                        VmMode.PASSTHROUGH,
                        Path.of("/tmp/vm0.sock"),
                        ShadowStrategy.INCREMENTAL),
                vm);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vm0,mode=passthrough                       | socket=... is missing",
                "vm0,socket=/tmp/a                          | mode=... is missing",
                "vm0,mode=magic,socket=/tmp/a               | mode=magic is unknown (known: [passthrough, fv])",
                "vm0,mode=passthrough,socket=/tmp/a,vram=1G | unknown key 'vram' (known: mode, shadow, socket)",
                "a/b,mode=passthrough,socket=/tmp/a         | the name must match",
            })
    void givenBadVm_whenParsed_thenTheMessageSaysWhatWouldDo(String text, String message) {
        ConfigException e = assertThrows(ConfigException.class, () -> VmConfig.parse(text));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    @Test
    void givenAPathLongerThanASocketAddressHolds_whenParsed_thenTheLimitIsNamed() {
        String path = "/tmp/" + "x".repeat(103);

        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> VmConfig.parse("vm0,mode=passthrough,socket=" + path));

        assertTrue(e.getMessage().contains("has 108 bytes, limit=107"), e::getMessage);
    }

    @Test
    void givenNoVm_whenConfigured_thenItIsRefused() {
        assertRefused("at least one --vm");
    }

    @Test
    void givenTheSameNameTwice_whenConfigured_thenItIsRefused() {
        assertRefused("--vm a is given twice", vm("a", "/tmp/1"), vm("a", "/tmp/2"));
    }

    @Test
    void givenTheSameSocketByTwoNames_whenConfigured_thenItIsRefused() {
        assertRefused("is taken by another", vm("a", "/tmp/x/../1"), vm("b", "/tmp/1"));
    }

    @Test
    void givenTwoPassThroughVms_whenConfigured_thenItIsRefused() {
        assertRefused("limit=1", vm("a", "/tmp/1"), vm("b", "/tmp/2"));
    }

    @Test
    void givenAnUnknownKindOfGpu_whenParsed_thenTheKnownOnesAreNamed() {
        ConfigException e = assertThrows(ConfigException.class, () -> GpuSpec.parse("voodoo"));

        assertTrue(
                e.getMessage().contains("unknown kind of GPU (known: soft, vfio:BDF)"),
                e::getMessage);
    }

    @Test
    void givenACard_whenParsed_thenItsAddressIsAllThatMayBeSaid() {
        GpuSpec card = GpuSpec.parse("vfio:01:00.0");
        assertEquals(new GpuSpec.Vfio(new PciAddress(0, 1, 0, 0)), card);

        for (String bad : List.of("vfio:", "vfio:gpu", "vfio:01:00.0,vram=1G")) {
            ConfigException e = assertThrows(ConfigException.class, () -> GpuSpec.parse(bad));
            assertTrue(e.getMessage().startsWith("--gpu vfio:"), e::getMessage);
        }
    }

    private static VmConfig vm(String name, String socket) {
        return new VmConfig(name, VmMode.PASSTHROUGH, Path.of(socket), ShadowStrategy.INCREMENTAL);
    }

    private static void assertRefused(String message, VmConfig... vms) {
        List<VmConfig> list = Arrays.asList(vms);
        ConfigException e =
                assertThrows(
                        ConfigException.class,
                        () -> new BackendConfig(GpuSpec.parse("soft"), list, IdleMode.BACKOFF));

        assertTrue(e.getMessage().contains(message), e::getMessage);
    }
}
