/// Page tables as the software GPU reads them: walk, translation caches, BAR apertures.
package io.gpuvm.softgpu.mmu;
