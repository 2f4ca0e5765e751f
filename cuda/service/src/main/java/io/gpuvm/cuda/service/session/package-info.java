/// Front end of a CUDA session: takes calls from the rings of the session's area, passes them to
/// the executor, and answers them.
package io.gpuvm.cuda.service.session;
