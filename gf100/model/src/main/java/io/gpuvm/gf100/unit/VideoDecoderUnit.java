package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.VideoFalcons;

/// Video decoders: present, and never started, because their programs are not free.
///
/// Drivers only switch them off. Behaviour: nouveau `nvkm/engine/{msvld,mspdec,msppp}/gf100.c`.
public final class VideoDecoderUnit implements Unit {
    private final FalconUnit bitStreams = FalconUnit.videoDecoder(VideoFalcons.PVLD);
    private final FalconUnit pictures = FalconUnit.videoDecoder(VideoFalcons.PPDEC);
    private final FalconUnit postProcessing = FalconUnit.videoDecoder(VideoFalcons.PPPP);

    @Override
    public void declare(RegisterTable.Builder table) {
        table.unit(bitStreams).unit(pictures).unit(postProcessing);
    }

    @Override
    public void reset() {
        bitStreams.reset();
        pictures.reset();
        postProcessing.reset();
    }
}
