/// Page tables as they are read, by a software GPU or on behalf of a virtual one: the walk, and the
/// BARs that show memory through it.
package io.gpuvm.gf100.translation;
