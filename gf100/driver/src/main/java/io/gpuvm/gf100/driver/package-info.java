/// What the owner of any GF100 does through its registers, the same for a card and for software:
/// page tables of the BARs, the flush of translations, channels, reading what went wrong, finding
/// out how much VRAM there is.
package io.gpuvm.gf100.driver;
