/// `gpuvm top`: a view of running backends in a terminal, from their counters.
package io.gpuvm.top;
