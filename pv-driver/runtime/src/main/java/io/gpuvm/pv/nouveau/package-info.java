/// Transport to a GPU that Linux's own driver, nouveau, controls: through a DRM render node.
///
/// Sources: `include/uapi/drm/nouveau_drm.h`, and `nouveau_abi16.c`, `nouveau_gem.c`,
/// `nouveau_bo.c`, `nouveau_dma.c`, `nouveau_fence.c`, `nouveau_chan.c` of
/// `drivers/gpu/drm/nouveau`.
package io.gpuvm.pv.nouveau;
