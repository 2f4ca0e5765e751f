/// The backend as a process: what an operator sees of it.
package io.gpuvm.tests.serve;
