package io.gpuvm.bench.fairness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.sched.policy.TimeShare;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestPlanTest {
    private static final Path SOCKET = Path.of("/s");

    @Test
    void givenAllKeys_whenParsed_thenBackendAndGuestOptionsAreSet() {
        GuestPlan guest = GuestPlan.parse("vm1", "length=500,think=20,weight=2,cap=25");

        assertEquals("vm1,mode=pv,vram=64M,socket=/s,weight=2,cap=25", guest.vmOption(SOCKET));
        List<String> arguments = guest.arguments(SOCKET, Path.of("/t"), 7);
        assertEquals("20", arguments.get(arguments.indexOf("--think") + 1));
        assertEquals("500", arguments.get(arguments.indexOf("--length") + 1));
        assertEquals("vm1: 0.5 ms think 20 weight 2 cap 25%", guest.does());
    }

    @Test
    void givenOnlyLength_whenParsed_thenShareIsDefault() {
        GuestPlan guest = GuestPlan.parse("vm0", "length=20000");

        assertEquals(GuestPlan.steady("vm0", 20_000, TimeShare.EQUAL), guest);
        assertEquals("vm0,mode=pv,vram=64M,socket=/s", guest.vmOption(SOCKET));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "length",
                "think=5",
                "length=5,length=6",
                "length=x",
                "length=5,weight=0",
                "length=5,cap=101",
                "length=5,speed=9"
            })
    void givenInvalidText_whenParsed_thenTextIsRefused(String text) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> GuestPlan.parse("vm0", text));

        assertTrue(!e.getMessage().isEmpty());
    }
}
