package io.gpuvm.softgpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.softgpu.sm.ExecutionMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SoftGpuConfigTest {
    private static final long MIB = 1L << 20;

    @ParameterizedTest
    @ValueSource(strings = {"", " "})
    void givenNoSettings_whenParsed_thenDefaultsApply(String settings) {
        SoftGpuConfig config = SoftGpuConfig.parse(settings);

        assertEquals(SoftGpuConfig.defaults(), config);
        assertEquals(512 * MIB, config.vramBytes());
        assertTrue(config.copyEngines());
        assertTrue(config.display());
        assertEquals(0, config.watchdogNs());
        assertEquals(0, SoftGpuConfig.parse("watchdog=off").watchdogNs());
        assertEquals(List.of(4, 4, 3, 3), config.tpcsPerGpc());
    }

    @Test
    void givenAllSettings_whenParsed_thenEachSettingIsApplied() {
        SoftGpuConfig config =
                SoftGpuConfig.parse(
                        "vram=6G,copy-engines=off,display=off,gpcs=4+3,bar1=256M,bar3=16384K,"
                                + "workers=3,watchdog=0.5,engine=compiled");

        assertEquals(6144 * MIB, config.vramBytes());
        assertFalse(config.copyEngines());
        assertFalse(config.display());
        assertEquals(List.of(4, 3), config.tpcsPerGpc());
        assertEquals(256 * MIB, config.bar1Bytes());
        assertEquals(16 * MIB, config.bar3Bytes());
        assertEquals(3, config.workers());
        assertEquals(500_000_000, config.watchdogNs());
        assertEquals(ExecutionMode.COMPILED, config.engine());
    }

    @ParameterizedTest
    @EnumSource
    void givenEngineOption_whenParsed_thenExecutionModeIsSet(ExecutionMode engine) {
        assertEquals(engine, SoftGpuConfig.parse("engine=" + engine.text()).engine());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vram=512X|vram=512X|suffix",
                "vram=99999999999G|vram=99999999999G|suffix",
                "vram=7G|vram=7516192768|6442450944",
                "vram=8M|vram=8388608|67108864",
                "vram=-1G|vram=-1073741824|67108864",
                "vram=536870913|vram=536870913|multiple of 1048576",
                "copy-engines=maybe|copy-engines=maybe|one of on, off",
                "display=1|display=1|one of on, off",
                "gpcs=4+x|gpcs=4+x|4+4+3+3",
                "gpcs=4+4+4+4+4|gpcs=[4, 4, 4, 4, 4]|1 to 4 GPCs",
                "gpcs=3+3|gpcs=[3, 3]: tpcs=6|one of",
                "bar1=100M|bar1=104857600|power of two",
                "bar3=512K|bar3=524288|1M",
                "bar1=8M|bar1=8388608|16M",
                "workers=0|workers=0|1 to 64",
                "workers=many|workers=many|a number",
                "watchdog=soon|watchdog=soon|seconds or off",
                "watchdog=0|watchdog=0|more than 0",
                "watchdog=NaN|watchdog=NaN|more than 0",
                "engine=fast|engine=fast|one of interpreter, compiled, tiered",
                "engine=COMPILED|engine=COMPILED|one of interpreter, compiled, tiered",
                "vrma=512M|vrma=512M|one of vram",
            })
    void givenInvalidSetting_whenParsed_thenKeyValueAndLimitAreNamed(
            String settings, String culprit, String limit) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> SoftGpuConfig.parse(settings));

        assertTrue(refusal.getMessage().startsWith(culprit), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(limit), refusal.getMessage());
    }
}
