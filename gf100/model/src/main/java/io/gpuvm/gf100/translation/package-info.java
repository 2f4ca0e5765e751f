/// Reading of page tables, by a software GPU or on behalf of a virtual GPU: the walk, and the BARs
/// that show memory through the page tables.
package io.gpuvm.gf100.translation;
