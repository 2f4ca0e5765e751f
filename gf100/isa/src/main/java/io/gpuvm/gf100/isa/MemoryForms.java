package io.gpuvm.gf100.isa;

import java.util.List;

/// Forms of the loads, the stores, the memory barrier and the cache controls.
final class MemoryForms {
    private static final Legend LEGEND =
            Legend.COMMON
                    .signed('o', Field.OFFSET)
                    .and('E', Field.EXTENDED)
                    .and('e', Field.CACHE)
                    .and('s', Field.SIZE)
                    .and('D', Field.DATA)
                    .and('P', Field.PDST)
                    .and('L', Field.LEVEL)
                    .signedScaled('O', Field.OFFSET, 2)
                    .and('K', Field.CACHE_KIND)
                    .and('C', Field.CACHE_CONTROL)
                    .and('k', Field.B_BANK);

    private MemoryForms() {}

    static List<Form> list() {
        return new FormList(LEGEND)
                .add(
                        "10000 E oooooooooooooooooooooooooooooooo aaaaaa dddddd nppp eesss j 0101",
                        "LD.e.ldcache.size d, []")
                .add(
                        "10001 E oooooooooooooooooooooooooooooooo aaaaaa dddddd nppp --sss j 0101",
                        "LDU.e.size d, []")
                .add(
                        "10010 E oooooooooooooooooooooooooooooooo aaaaaa DDDDDD nppp eesss j 0101",
                        "ST.e.stcache.size [], data")
                .add(
                        "10100 P oooooooooooooooooooooooooooooooo aaaaaa dddddd nppp PPsss j 0101",
                        "LDLK.size p, d, []")
                .add(
                        "11101 0 oooooooooooooooooooooooooooooooo aaaaaa DDDDDD nppp --sss j 0101",
                        "STUL.size [], data")
                .add(
                        "11000 0-0 ------ oooooooooooooooooooooooo aaaaaa dddddd nppp eesss j 0101",
                        "LDL.ldlcache.size d, []")
                .add(
                        "11000 0-1 ------ oooooooooooooooooooooooo aaaaaa dddddd nppp --sss j 0101",
                        "LDS.size d, []")
                .add(
                        "11000 1-- ---PPP oooooooooooooooooooooooo aaaaaa dddddd nppp --sss j 0101",
                        "LDSLK.size p, d, []")
                .add(
                        "11001 0-0 ------ oooooooooooooooooooooooo aaaaaa DDDDDD nppp eesss j 0101",
                        "STL.stcache.size [], data")
                .add(
                        "11001 0-1 ------ oooooooooooooooooooooooo aaaaaa DDDDDD nppp --sss j 0101",
                        "STS.size [], data")
                .add(
                        "11001 1-- ------ oooooooooooooooooooooooo aaaaaa DDDDDD nppp --sss j 0101",
                        "STSUL.size [], data")
                .add(
                        "00010 1--- ------ - -kkkkkoooooooooooooooo aaaaaa dddddd nppp --sss j 0110",
                        "LDC.size d, c[]")
                .add(
                        "11100 0 -------------------------------- ------ ------ nppp ---LL j 0101",
                        "MEMBAR.level")
                .add(
                        "10011 E OOOOOOOOOOOOOOOOOOOOOOOOOOOOOO KK aaaaaa dddddd nppp CCCCC j 0101",
                        "CCTL.e.cache.cctl d, []")
                .add(
                        "11010 0-------- oooooooooooooooooooooooo aaaaaa dddddd nppp CCCCC j 0101",
                        "CCTLL.cctl d, []")
                .forms();
    }
}
