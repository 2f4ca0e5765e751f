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
    void givenSmallPieces_whenAllocated_thenAllPiecesShareBuffer() {
        Piece one = store.allocate(1);
        Piece two = store.allocate(PAGE + 1);

        assertSame(one.slab(), two.slab());
        assertEquals(PAGE, one.bytes());
        assertEquals(2 * PAGE, two.bytes());
        assertEquals(one.gpuVa() + PAGE, two.gpuVa());
        assertEquals(List.of(SLAB), buffers.sizes());
    }

    @Test
    void givenPieceLargerThanRetentionLimit_whenReleased_thenBufferIsReleased() {
        Piece large = store.allocate(3 * SLAB + 1);

        assertEquals(List.of(3 * SLAB + BIG_PAGE), buffers.sizes());
        store.release(large);
        assertEquals(List.of(), buffers.sizes());
    }

    @Test
    void givenRetainedBuffer_whenPieceOfSimilarSizeIsAllocated_thenBufferIsReused() {
        store.release(store.allocate(SLAB));

        Piece again = store.allocate(SLAB - PAGE);
        Piece other = store.allocate(SLAB / 4);

        assertEquals(SLAB - PAGE, again.bytes());
        assertNotSame(again.slab(), other.slab());
        assertEquals(List.of(SLAB, SLAB / 4), buffers.sizes());
    }

    @Test
    void givenRetainedBuffers_whenAllocationExceedsFreeMemory_thenRetainedBuffersAreReleased() {
        buffers.left = 2 * SLAB;
        store.release(store.allocate(SLAB));
        assertEquals(SLAB, store.retained());

        Piece all = store.allocate(2 * SLAB);

        assertEquals(List.of(2 * SLAB), buffers.sizes());
        assertThrows(TransportException.class, () -> store.allocate(SLAB));
        store.release(all);
    }

    @Test
    void givenManySlabs_whenAllPiecesAreReleased_thenRetainedMemoryIsLimited() {
        List<Piece> pieces = new ArrayList<>();
        while (buffers.sizes().size() < 5) {
            pieces.add(store.allocate(SLAB / 8));
        }
        pieces.forEach(store::release);

        assertEquals(2 * SLAB, store.retained());
        assertEquals(List.of(SLAB, SLAB), buffers.sizes());
    }

    @Test
    void givenLessMemoryThanSlab_whenSmallPieceIsAllocated_thenBufferIsSmallerThanSlab() {
        buffers.left = BIG_PAGE;

        Piece piece = store.allocate(PAGE);

        assertEquals(List.of(BIG_PAGE), buffers.sizes());
        assertThrows(TransportException.class, () -> store.allocate(BIG_PAGE));
        assertNotSame(piece, store.allocate(PAGE));
    }

    @Test
    void givenLengthZero_whenPieceIsAllocated_thenErrorNamesRange() {
        String message =
                assertThrows(TransportException.class, () -> store.allocate(0)).getMessage();
        assertTrue(message.contains("bytes=0, expected 1 to"), message);
    }

    @Test
    void givenRandomPieces_whenAllocatedAndReleased_thenPiecesNeverOverlapAndAllMemoryIsReleased() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Piece> held = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            if (held.isEmpty() || random.nextInt(5) < 3 && held.size() < 200) {
                Piece piece = store.allocate(1 + (long) Math.exp(random.nextDouble() * 15));
                for (Piece other : held) {
                    assertTrue(
                            piece.gpuVa() >= other.gpuVa() + other.bytes()
                                    || other.gpuVa() >= piece.gpuVa() + piece.bytes(),
                            "seed=" + seed);
                }
                held.add(piece);
            } else {
                store.release(held.remove(random.nextInt(held.size())));
            }
        }
        held.forEach(store::release);
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
