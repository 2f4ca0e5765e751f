/// Links: connections between an agent and a backend over the network, which survive breaks.
///
/// `docs/remote.md` specifies the frames. [io.gpuvm.remote.link.LinkLoop] runs all links of a
/// thread; [io.gpuvm.remote.link.LinkListener] accepts links, and [io.gpuvm.remote.link.LinkDialer]
/// opens them.
package io.gpuvm.remote.link;
