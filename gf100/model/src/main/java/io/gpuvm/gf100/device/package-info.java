/// The port through which all code touches a GPU: BARs, windows to VRAM, DMA, interrupt, reset.
package io.gpuvm.gf100.device;
