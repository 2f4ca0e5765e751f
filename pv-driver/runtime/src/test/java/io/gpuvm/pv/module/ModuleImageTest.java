package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.asm.Listing;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.KernelParameter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the launch data and the layout of modules that the project's assembler writes.
class ModuleImageTest {
    private static final long VA = 0x10_0000;

    private static final String TWO_KERNELS =
            """
            .constant 2
            scale:  .float 1.5
            table:  .long 1, 2, 3
            .kernel first
                    .param out, 8
                    .param n, 4
                    .shared tile, 100
                    .local scratch, 20
                    .registers 20
                    BAR.SYNC 3
                    EXIT
                    .constant 16
                    .long 0x12345678
            .end
            .kernel second
                    .stack 48, 16, 300
                    NOP
                    EXIT
            .end
            """;

    private static ModuleImage image(String source) {
        return ModuleImage.of(Cubin.read(Assembler.assemble("test", source).toBytes()));
    }

    private static int word(byte[] contents, long offset) {
        return MemorySegment.ofArray(contents).get(Fixup.WORD, offset);
    }

    @Test
    void givenKernel_whenLaidOut_thenResourcesAreInUnitsOfLaunch() {
        KernelImage first = image(TWO_KERNELS).kernels().getFirst();

        assertEquals("first", first.name());
        assertEquals(new KernelResources(20, 4, 112, 32, 0x800), first.resources());
        assertEquals(ConstantSection.PARAMETERS, first.parameterOffset());
        assertEquals(12, first.parameterBytes());
        assertEquals(
                List.of(new KernelParameter(0, 0, 8), new KernelParameter(1, 8, 4)),
                first.parameters());
        assertEquals(1024, first.block().maxThreads());
        assertNull(first.block().required());
    }

    @Test
    void givenStack_whenLaidOut_thenKernelHasDefaultStackAndCallStackOfFile() {
        KernelImage second = image(TWO_KERNELS).kernels().getLast();

        assertEquals(ModuleImage.DEFAULT_STACK_BYTES, second.resources().localBytes());
        assertEquals(0x1400, second.resources().callStackBytes());
    }

    @Test
    void givenTwoKernels_whenLaidOut_thenCodeIsAtEntries() {
        Cubin cubin = Assembler.assemble("test", TWO_KERNELS);
        ModuleImage image = ModuleImage.of(cubin);
        byte[] contents = image.contentsAt(VA);

        for (KernelImage kernel : image.kernels()) {
            MemorySegment code = cubin.function(kernel.name()).code();
            assertTrue(kernel.entry() > 0 && kernel.entry() % 256 == 0);
            byte[] placed =
                    Arrays.copyOfRange(
                            contents, kernel.entry(), kernel.entry() + (int) code.byteSize());
            assertEquals(
                    Listing.of(code), Listing.of(MemorySegment.ofArray(placed)), kernel.name());
        }
    }

    @Test
    void givenBanks_whenLaidOut_thenEachKernelBindsPrivateAndSharedBanks() {
        ModuleImage image = image(TWO_KERNELS);
        byte[] contents = image.contentsAt(VA);
        List<BankImage> first = image.kernels().getFirst().banks();
        List<BankImage> second = image.kernels().getLast().banks();

        assertEquals(List.of(1, 2, 16), first.stream().map(BankImage::index).toList());
        assertEquals(List.of(1, 2), second.stream().map(BankImage::index).toList());
        assertEquals(first.get(1), second.get(1));
        assertEquals(32, word(contents, first.get(0).offset() + ConstantSection.STACK_POINTER));
        assertEquals(1024, word(contents, second.get(0).offset() + ConstantSection.STACK_POINTER));
        assertEquals(Float.floatToIntBits(1.5f), word(contents, first.get(1).offset()));
        assertEquals(0x12345678, word(contents, first.get(2).offset()));
        for (BankImage bank : first) {
            assertEquals(0, bank.offset() % 256);
            assertEquals(0, bank.bytes() % 256);
            assertTrue(bank.offset() + bank.bytes() <= image.bytes());
        }
    }

    @Test
    void givenVariables_whenLaidOut_thenBankOfKernelContainsVariables() {
        ModuleImage image = image(TWO_KERNELS);
        long bank = image.kernels().getFirst().banks().get(1).offset();

        assertEquals(
                List.of(
                        new ModuleVariable("scale", bank, 4),
                        new ModuleVariable("table", bank + 4, 12)),
                image.variables());
    }

    @Test
    void givenNoKernel_whenLaidOut_thenImageHasNoKernels() {
        ModuleImage image = image(".constant 2\n.long 1");

        assertEquals(List.of(), image.kernels());
        assertTrue(image.bytes() > 0);
    }

    @Test
    void given32BitModule_whenPlacedAcross4GiB_thenErrorNamesEnd() {
        ModuleImage image = image(".width 32\n.kernel k\nEXIT\n.end");
        long last = (1L << 32) - 0x1000;

        image.contentsAt(last);
        ModuleException e =
                assertThrows(ModuleException.class, () -> image.contentsAt(last + 0x1000));

        assertEquals(
                "module: end of addresses="
                        + (last + 0x1000 + image.bytes())
                        + ", limit=4294967296",
                e.getMessage());
    }

    @Test
    void givenUnalignedAddress_whenPlaced_thenAddressIsRefused() {
        ModuleImage image = image(TWO_KERNELS);

        ModuleException e = assertThrows(ModuleException.class, () -> image.contentsAt(VA + 8));

        assertEquals(
                "module: address=1048584, expected a multiple of 4096, more than 0",
                e.getMessage());
    }

    @Test
    void givenTooLargeStack_whenLaidOut_thenErrorNamesLimit() {
        Cubin cubin = Assembler.assemble("test", TWO_KERNELS);

        assertEquals(
                64 << 10,
                ModuleImage.of(cubin, 64 << 10).kernels().getLast().resources().localBytes());
        ModuleException e =
                assertThrows(ModuleException.class, () -> ModuleImage.of(cubin, 1 << 20));
        assertEquals("module: stack bytes=1048576, expected 0 to 524288", e.getMessage());
    }
}
