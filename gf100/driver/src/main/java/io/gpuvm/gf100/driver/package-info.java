/// Operations of the owner of any GF100 on its registers, identical for a card and for the software
/// GPU: page tables of the BARs, flush of translations, channels, reading of errors, size of VRAM.
package io.gpuvm.gf100.driver;
