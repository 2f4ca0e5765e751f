package io.gpuvm.gf100.push;

/// Which subchannel which class is bound to: those that Mesa and nouveau use.
final class Subchannel {
    /// For the channel's own methods, which any subchannel takes.
    static final int ANY = 0;

    static final int COMPUTE = 1;
    static final int M2MF = 2;
    static final int COPY = 4;

    private Subchannel() {}
}
