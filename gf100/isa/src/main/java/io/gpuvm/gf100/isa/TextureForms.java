package io.gpuvm.gf100.isa;

import static io.gpuvm.gf100.isa.FormList.fixed;

import java.util.List;

/// Forms of the texture reads: only the fetch of a texel of linear memory by its index, which
/// compilers generate for `tex1Dfetch`.
///
/// The forms exclude a level, offset or sample in a second register (bits 57, 54, 55), other shapes
/// (53:51), a slot in a register (50), and options that only pixel programs use (9).
///
/// Sources: envytools `envydis/gf100.c`, `texfetch`; listings of NVIDIA's tools.
final class TextureForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .and('T', Field.TEXTURE)
                    .and('m', Field.COMPONENTS)
                    .and('g', Field.GROUPING);

    private TextureForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "1001 --0000 000 0 mmmm ------ TTTTTTTT ++++++ aaaaaa dddddd nppp 0gg-- j 0110",
                        "TLD.lz.group d, a, tex, 1d, comps",
                        fixed(Field.LEVEL_ZERO, 1))
                .forms();
    }
}
