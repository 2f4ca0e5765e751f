/// Port for all accesses to a GPU: BARs, windows to VRAM, DMA, interrupt, reset.
package io.gpuvm.gf100.device;
