/// Client of the CUDA protocol, for tests: it sends calls through the rings of an area, and checks
/// nothing.
package io.gpuvm.tests.cuda;
