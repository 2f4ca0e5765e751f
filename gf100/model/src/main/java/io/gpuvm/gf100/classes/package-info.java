/// Classes that channels bind: numbers of methods, and memory layouts.
///
/// Method numbers are byte offsets, as in envytools' rnndb and in
/// [io.gpuvm.gf100.fifo.MethodHeader#method(int)].
package io.gpuvm.gf100.classes;
