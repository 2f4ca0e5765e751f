/// The GF100 (Fermi, NVC0) on paper: what hardware and drivers agree on, without behaviour.
package io.gpuvm.gf100;
