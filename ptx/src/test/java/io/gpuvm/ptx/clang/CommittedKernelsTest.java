package io.gpuvm.ptx.clang;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.ptx.PtxOptions;
import org.junit.jupiter.api.Test;

/// Tests of the compiler with PTX of random kernels that is part of this checkout.
class CommittedKernelsTest {
    @Test
    void givenCommittedPtx_whenCompiled_thenResultsEqualProcessors() {
        RandomKernels kernels = CommittedKernels.kernels();
        for (String level : CommittedKernels.LEVELS) {
            byte[] found =
                    CompiledKernels.run(kernels, CommittedKernels.ptx(level), PtxOptions.DEFAULT);

            assertEquals(
                    CommittedKernels.digests(),
                    CommittedKernels.digests(kernels.source(), found),
                    level);
        }
    }

    @Test
    void givenGenerator_whenSourceIsWritten_thenCommittedPtxBelongsToIt() {
        assertEquals(
                CommittedKernels.digests().getFirst(),
                CommittedKernels.digests(CommittedKernels.kernels().source(), new byte[0])
                        .getFirst());
    }
}
