package io.gpuvm.pv.nouveau;

import io.gpuvm.linux.IoctlCode;
import io.gpuvm.linux.IoctlCode.Direction;
import java.lang.foreign.StructLayout;

/// Ioctls of DRM and of nouveau.
final class NouveauIoctl {
    static final IoctlCode VERSION =
            drm("DRM_IOCTL_VERSION", Direction.READ_WRITE, 0x00, DrmStructs.VERSION);
    static final IoctlCode GEM_CLOSE =
            drm("DRM_IOCTL_GEM_CLOSE", Direction.WRITE, 0x09, DrmStructs.GEM_CLOSE);
    static final IoctlCode GETPARAM =
            nouveau("DRM_NOUVEAU_GETPARAM", Direction.READ_WRITE, 0x00, DrmStructs.GETPARAM);
    static final IoctlCode CHANNEL_ALLOC =
            nouveau(
                    "DRM_NOUVEAU_CHANNEL_ALLOC",
                    Direction.READ_WRITE,
                    0x02,
                    DrmStructs.CHANNEL_ALLOC);
    static final IoctlCode CHANNEL_FREE =
            nouveau("DRM_NOUVEAU_CHANNEL_FREE", Direction.WRITE, 0x03, DrmStructs.CHANNEL_FREE);
    static final IoctlCode GROBJ_ALLOC =
            nouveau("DRM_NOUVEAU_GROBJ_ALLOC", Direction.WRITE, 0x04, DrmStructs.GROBJ_ALLOC);
    static final IoctlCode GEM_NEW =
            nouveau("DRM_NOUVEAU_GEM_NEW", Direction.READ_WRITE, 0x40, DrmStructs.GEM_NEW);
    static final IoctlCode GEM_PUSHBUF =
            nouveau("DRM_NOUVEAU_GEM_PUSHBUF", Direction.READ_WRITE, 0x41, DrmStructs.PUSHBUF);
    static final IoctlCode GEM_CPU_PREP =
            nouveau("DRM_NOUVEAU_GEM_CPU_PREP", Direction.WRITE, 0x42, DrmStructs.GEM_CPU_PREP);

    /// `DRM_IOCTL_BASE`
    private static final char TYPE = 'd';

    /// `DRM_COMMAND_BASE`: number of the first driver-specific ioctl.
    private static final int COMMAND_BASE = 0x40;

    private NouveauIoctl() {}

    private static IoctlCode drm(
            String name, Direction direction, int index, StructLayout argument) {
        return IoctlCode.of(name, direction, TYPE, index, (int) argument.byteSize());
    }

    private static IoctlCode nouveau(
            String name, Direction direction, int index, StructLayout argument) {
        return drm(name, direction, COMMAND_BASE + index, argument);
    }
}
