/// Intermediate representation: a control-flow graph in SSA form, whose operations are the machine
/// instructions of the GF100 with virtual registers.
package io.gpuvm.ptx.ir;
