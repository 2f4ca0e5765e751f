package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.nouveau.SlabStore.Piece;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlabStoreTest {
    private static final long PAGE = 4096;
    private static final long BIG_PAGE = 128 << 10;
    private static final long SLAB = 2 << 20;

    private final Buffers buffers = new Buffers();
    private final SlabStore store = new SlabStore(buffers, SLAB, 2 * SLAB);

    @Test
    void givenSmallPieces_whenTaken_thenTheyShareBuffer() {
        Piece one = store.take(1);
        Piece two = store.take(PAGE + 1);

        assertSame(one.slab(), two.slab());
        assertEquals(PAGE, one.bytes());
        assertEquals(2 * PAGE, two.bytes());
        assertEquals(one.gpuVa() + PAGE, two.gpuVa());
        assertEquals(List.of(SLAB), buffers.sizes());
    }

    @Test
    void givenPieceBeyondRetainedLimit_whenReturned_thenItsBufferIsReleased() {
        Piece large = store.take(3 * SLAB + 1);

        assertEquals(List.of(3 * SLAB + BIG_PAGE), buffers.sizes());
        store.giveBack(large);
        assertEquals(List.of(), buffers.sizes());
    }

    @Test
    void givenRetainedBuffer_whenPieceOfSimilarSizeIsTaken_thenBufferIsUsedAgain() {
        store.giveBack(store.take(SLAB));

        Piece again = store.take(SLAB - PAGE);
        Piece other = store.take(SLAB / 4);

        assertEquals(SLAB - PAGE, again.bytes());
        assertNotSame(again.slab(), other.slab());
        assertEquals(List.of(SLAB, SLAB / 4), buffers.sizes());
    }

    @Test
    void givenRetainedBuffers_whenMemoryIsShort_thenTheyAreReleasedFirst() {
        buffers.left = 2 * SLAB;
        store.giveBack(store.take(SLAB));
        assertEquals(SLAB, store.retained());

        Piece all = store.take(2 * SLAB);

        assertEquals(List.of(2 * SLAB), buffers.sizes());
        assertThrows(TransportException.class, () -> store.take(SLAB));
        store.giveBack(all);
    }

    @Test
    void givenEmptySlabs_whenReturned_thenRetainedMemoryIsLimited() {
        List<Piece> pieces = new ArrayList<>();
        while (buffers.sizes().size() < 5) {
            pieces.add(store.take(SLAB / 8));
        }
        pieces.forEach(store::giveBack);

        assertEquals(2 * SLAB, store.retained());
        assertEquals(List.of(SLAB, SLAB), buffers.sizes());
    }

    @Test
    void givenLessMemoryThanSlab_whenSmallPieceIsTaken_thenBufferHasItsSize() {
        buffers.left = BIG_PAGE;

        Piece piece = store.take(PAGE);

        assertEquals(List.of(BIG_PAGE), buffers.sizes());
        assertThrows(TransportException.class, () -> store.take(BIG_PAGE));
        assertNotSame(piece, store.take(PAGE));
    }

    @Test
    void givenWrongLength_whenTaken_thenLimitIsNamed() {
        String message = assertThrows(TransportException.class, () -> store.take(0)).getMessage();
        assertTrue(message.contains("bytes=0, expected 1 to"), message);
    }

    @Test
    void givenRandomUse_whenTaken_thenPiecesNeverOverlapAndAllMemoryReturns() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Piece> held = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            if (held.isEmpty() || random.nextInt(5) < 3 && held.size() < 200) {
                Piece piece = store.take(1 + (long) Math.exp(random.nextDouble() * 15));
                for (Piece other : held) {
                    assertTrue(
                            piece.gpuVa() >= other.gpuVa() + other.bytes()
                                    || other.gpuVa() >= piece.gpuVa() + piece.bytes(),
                            "seed=" + seed);
                }
                held.add(piece);
            } else {
                store.giveBack(held.remove(random.nextInt(held.size())));
            }
        }
        held.forEach(store::giveBack);
        assertTrue(store.retained() <= 2 * SLAB, "seed=" + seed);
        assertEquals(store.retained(), buffers.sizes().stream().mapToLong(Long::longValue).sum());
    }

    private static final class Buffers implements SlabStore.Source {
        private final List<GemBuffer> open = new ArrayList<>();
        private long left = Long.MAX_VALUE;
        private long gpuVa = PAGE;
        private int handle;

        List<Long> sizes() {
            return open.stream().map(GemBuffer::bytes).toList();
        }

        @Override
        public GemBuffer create(long bytes) {
            if (bytes > left) {
                throw new TransportException("bytes=%d, limit=%d left".formatted(bytes, left));
            }
            left -= bytes;
            GemBuffer buffer = new GemBuffer(++handle, Domain.VRAM, bytes, gpuVa, 0);
            gpuVa += bytes;
            open.add(buffer);
            return buffer;
        }

        @Override
        public void release(GemBuffer buffer) {
            assertTrue(open.remove(buffer));
            left += buffer.bytes();
        }
    }
}
