package io.gpuvm.gf100.push;

/// Subchannels to which Mesa and nouveau bind the classes.
final class Subchannel {
    /// Subchannel for the channel's own methods, which every subchannel accepts.
    static final int ANY = 0;

    static final int COMPUTE = 1;
    static final int M2MF = 2;
    static final int COPY = 4;

    private Subchannel() {}
}
