package io.gpuvm.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class IoctlCodeTest {
    /// Code of an ioctl that no device supports.
    private static final IoctlCode UNKNOWN =
            IoctlCode.of("UNKNOWN", IoctlCode.Direction.READ_WRITE, 'z', 1, Long.BYTES);

    @Test
    void givenFields_whenEncoded_thenCodeEqualsConstantOfLinuxHeader() {
        // DRM_IOCTL_VERSION and DRM_IOCTL_GEM_CLOSE of drm.h.
        assertEquals(
                0xc0406400L,
                IoctlCode.of("VERSION", IoctlCode.Direction.READ_WRITE, 'd', 0, 64).number());
        assertEquals(
                0x40086409L,
                IoctlCode.of("GEM_CLOSE", IoctlCode.Direction.WRITE, 'd', 9, 8).number());
    }

    @Test
    void givenDeviceWithoutIoctl_whenCalled_thenErrorNamesIoctl() {
        try (Descriptor device = Descriptor.open(Path.of("/dev/null"));
                Arena arena = Arena.ofConfined()) {
            MemorySegment argument = arena.allocate(Long.BYTES);
            LinuxException refusal =
                    assertThrows(LinuxException.class, () -> UNKNOWN.call(device, argument));
            assertTrue(refusal.is(Errno.ENOTTY), refusal.getMessage());
            assertTrue(refusal.getMessage().contains("UNKNOWN"), refusal.getMessage());
        }
    }

    @Test
    void givenShortArgument_whenCalled_thenCallIsRefused() {
        try (Descriptor device = Descriptor.open(Path.of("/dev/null"));
                Arena arena = Arena.ofConfined()) {
            MemorySegment argument = arena.allocate(Integer.BYTES);
            assertThrows(IllegalArgumentException.class, () -> UNKNOWN.tryCall(device, argument));
        }
    }
}
