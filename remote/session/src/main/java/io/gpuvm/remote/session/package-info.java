/// Sessions of programs that use a backend on another host.
///
/// ```text
///  program --- area --- agent ======= network ======= gateway --- area --- backend
///              rings    ProgramSession               GatewaySession   rings
///                       CudaHostEnd                  CudaGuestEnd
/// ```
///
/// The agent takes the place of the backend in the program's shared area, the gateway that of the
/// program in the backend's. Entries of the rings travel between them, and the parts of the data
/// area that calls read or write. `docs/remote.md` specifies the frames.
package io.gpuvm.remote.session;
