/// gpuvm's VBIOS image: the tables that drivers read, and no code that drivers would execute.
package io.gpuvm.gf100.vbios;
