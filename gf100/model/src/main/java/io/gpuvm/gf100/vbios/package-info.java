/// A VBIOS image of our own: the tables that drivers look for, and nothing they would execute.
package io.gpuvm.gf100.vbios;
