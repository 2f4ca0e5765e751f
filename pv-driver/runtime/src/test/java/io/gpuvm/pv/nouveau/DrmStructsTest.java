package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.IoctlCode;
import java.lang.foreign.StructLayout;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that sizes, offsets and ioctl numbers equal the values that a C compiler computes from
/// `drm.h` and `nouveau_drm.h` on x86-64.
class DrmStructsTest {
    static Stream<Arguments> sizes() {
        return Stream.of(
                Arguments.of(DrmStructs.VERSION, 64),
                Arguments.of(DrmStructs.GEM_CLOSE, 8),
                Arguments.of(DrmStructs.GETPARAM, 16),
                Arguments.of(DrmStructs.CHANNEL_ALLOC, 88),
                Arguments.of(DrmStructs.CHANNEL_FREE, 4),
                Arguments.of(DrmStructs.GROBJ_ALLOC, 12),
                Arguments.of(DrmStructs.GEM_NEW, 48),
                Arguments.of(DrmStructs.GEM_CPU_PREP, 8),
                Arguments.of(DrmStructs.PUSHBUF_BO, 40),
                Arguments.of(DrmStructs.PUSHBUF_PUSH, 24),
                Arguments.of(DrmStructs.PUSHBUF, 64));
    }

    static Stream<Arguments> offsets() {
        return Stream.of(
                Arguments.of(DrmStructs.VERSION, "name", 24),
                Arguments.of(DrmStructs.CHANNEL_ALLOC, "channel", 8),
                Arguments.of(DrmStructs.CHANNEL_ALLOC, "nr_subchan", 84),
                Arguments.of(DrmStructs.GROBJ_ALLOC, "class", 8),
                Arguments.of(DrmStructs.GEM_NEW, "offset", 16),
                Arguments.of(DrmStructs.GEM_NEW, "map_handle", 24),
                Arguments.of(DrmStructs.GEM_NEW, "align", 44),
                Arguments.of(DrmStructs.GEM_CPU_PREP, "flags", 4),
                Arguments.of(DrmStructs.PUSHBUF_BO, "handle", 8),
                Arguments.of(DrmStructs.PUSHBUF_BO, "valid_domains", 20),
                Arguments.of(DrmStructs.PUSHBUF_PUSH, "length", 16),
                Arguments.of(DrmStructs.PUSHBUF, "buffers", 8),
                Arguments.of(DrmStructs.PUSHBUF, "nr_push", 20),
                Arguments.of(DrmStructs.PUSHBUF, "push", 32),
                Arguments.of(DrmStructs.PUSHBUF, "vram_available", 48));
    }

    static Stream<Arguments> codes() {
        return Stream.of(
                Arguments.of(NouveauIoctl.VERSION, 0xc0406400L),
                Arguments.of(NouveauIoctl.GEM_CLOSE, 0x40086409L),
                Arguments.of(NouveauIoctl.GETPARAM, 0xc0106440L),
                Arguments.of(NouveauIoctl.CHANNEL_ALLOC, 0xc0586442L),
                Arguments.of(NouveauIoctl.CHANNEL_FREE, 0x40046443L),
                Arguments.of(NouveauIoctl.GROBJ_ALLOC, 0x400c6444L),
                Arguments.of(NouveauIoctl.GEM_NEW, 0xc0306480L),
                Arguments.of(NouveauIoctl.GEM_PUSHBUF, 0xc0406481L),
                Arguments.of(NouveauIoctl.GEM_CPU_PREP, 0x40086482L));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void givenStructure_whenLaidOut_thenSizeMatchesLinux(StructLayout struct, int bytes) {
        assertEquals(bytes, struct.byteSize());
    }

    @ParameterizedTest
    @MethodSource("offsets")
    void givenField_whenLaidOut_thenOffsetMatchesLinux(
            StructLayout struct, String field, int offset) {
        assertEquals(offset, DrmStructs.offset(struct, field));
    }

    @ParameterizedTest
    @MethodSource("codes")
    void givenIoctl_whenEncoded_thenNumberMatchesLinux(IoctlCode request, long code) {
        assertEquals(code, request.number(), request::name);
    }
}
