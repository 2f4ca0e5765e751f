package io.gpuvm.guests.real;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VmSpecTest {
    @Test
    void givenKernelAndBackendKeys_whenParsed_thenBackendOptionLacksKernel() {
        VmSpec vm = VmSpec.parse("vm1", "mode=fv,kernel=6.1,map=bar3", "6.12");
        assertEquals("6.1", vm.kernel());
        assertEquals("vm1,mode=fv,map=bar3,socket=/s", vm.backendOption(Path.of("/s")));
    }

    @Test
    void givenNoModeAndNoKernel_whenParsed_thenDefaultsApply() {
        VmSpec vm = VmSpec.parse("vm0", "map=none", "6.12");
        assertEquals("6.12", vm.kernel());
        assertEquals("passthrough", vm.mode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "fv", "=fv", "mode=fv,mode=pv"})
    void givenInvalidKeysAndValues_whenParsed_thenTextIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> VmSpec.parse("vm0", text, "6.12"));
    }
}
