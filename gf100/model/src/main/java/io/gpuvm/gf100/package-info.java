/// The GF100 (Fermi, NVC0): registers, formats, page tables and their walk, the ports of a GPU, and
/// the units that several GPU implementations share.
package io.gpuvm.gf100;
