/// Operations of a GF100's owner on the registers, identical for a card and for the software GPU:
/// page tables of the BARs, flushes of translations, channels, error reports, size of VRAM.
package io.gpuvm.gf100.driver;
