/// Register definitions: names, offsets and bit fields of BAR0, one class per hardware unit.
package io.gpuvm.gf100.reg;
