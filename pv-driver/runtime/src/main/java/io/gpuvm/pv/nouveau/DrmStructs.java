package io.gpuvm.pv.nouveau;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Structures of nouveau's and DRM's ioctls, with the field names of `nouveau_drm.h`, `drm.h` and,
/// for an object, `nouveau_abi16.h`.
final class DrmStructs {
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// `struct drm_version`
    static final StructLayout VERSION =
            structLayout(
                    u32("version_major"),
                    u32("version_minor"),
                    u32("version_patchlevel"),
                    MemoryLayout.paddingLayout(Integer.BYTES),
                    u64("name_len"),
                    u64("name"),
                    u64("date_len"),
                    u64("date"),
                    u64("desc_len"),
                    u64("desc"));

    /// `struct drm_gem_close`
    static final StructLayout GEM_CLOSE = structLayout(u32("handle"), u32("pad"));

    /// `struct drm_nouveau_getparam`
    static final StructLayout GETPARAM = structLayout(u64("param"), u64("value"));

    /// `struct drm_nouveau_channel_alloc`
    static final StructLayout CHANNEL_ALLOC =
            structLayout(
                    u32("fb_ctxdma_handle"),
                    u32("tt_ctxdma_handle"),
                    u32("channel"),
                    u32("pushbuf_domains"),
                    u32("notifier_handle"),
                    sequenceLayout(8, structLayout(u32("handle"), u32("grclass")))
                            .withName("subchan"),
                    u32("nr_subchan"));

    /// `struct drm_nouveau_channel_free`
    static final StructLayout CHANNEL_FREE = structLayout(u32("channel"));

    /// `struct drm_nouveau_grobj_alloc`
    static final StructLayout GROBJ_ALLOC =
            structLayout(u32("channel"), u32("handle"), u32("class"));

    /// `struct drm_nouveau_gem_new`, with the fields of its `info` first
    static final StructLayout GEM_NEW =
            structLayout(
                    u32("handle"),
                    u32("domain"),
                    u64("size"),
                    u64("offset"),
                    u64("map_handle"),
                    u32("tile_mode"),
                    u32("tile_flags"),
                    u32("channel_hint"),
                    u32("align"));

    /// `struct drm_nouveau_gem_cpu_prep`
    static final StructLayout GEM_CPU_PREP = structLayout(u32("handle"), u32("flags"));

    /// `struct drm_nouveau_gem_pushbuf_bo`, with the fields of its `presumed` last
    static final StructLayout PUSHBUF_BO =
            structLayout(
                    u64("user_priv"),
                    u32("handle"),
                    u32("read_domains"),
                    u32("write_domains"),
                    u32("valid_domains"),
                    u32("presumed_valid"),
                    u32("presumed_domain"),
                    u64("presumed_offset"));

    /// `struct drm_nouveau_gem_pushbuf_push`
    static final StructLayout PUSHBUF_PUSH =
            structLayout(u32("bo_index"), u32("pad"), u64("offset"), u64("length"));

    /// `struct drm_nouveau_gem_pushbuf`
    static final StructLayout PUSHBUF =
            structLayout(
                    u32("channel"),
                    u32("nr_buffers"),
                    u64("buffers"),
                    u32("nr_relocs"),
                    u32("nr_push"),
                    u64("relocs"),
                    u64("push"),
                    u32("suffix0"),
                    u32("suffix1"),
                    u64("vram_available"),
                    u64("gart_available"));

    private DrmStructs() {}

    /// Returns the offset of a field, in bytes.
    static long offset(StructLayout struct, String field) {
        return struct.byteOffset(groupElement(field));
    }

    private static MemoryLayout u32(String name) {
        return U32.withName(name);
    }

    private static MemoryLayout u64(String name) {
        return U64.withName(name);
    }
}
