/// Classes that channels bind, the names of their methods, and the memory layouts that they define.
///
/// Method numbers are byte offsets, as in envytools' rnndb and in
/// [io.gpuvm.gf100.fifo.MethodHeader#method(int)].
package io.gpuvm.gf100.classes;
