package io.gpuvm.daemon;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Waits until another thread of the backend has made a change.
final class ChangeWait {
    /// Time limit for the GPU's owner, longer than the owner is ever busy. If it expires, the owner
    /// is dead.
    private static final long OWNER_LIMIT_S = 5;

    private ChangeWait() {}

    /// Waits for the GPU's owner.
    ///
    /// @throws RuntimeException the exception with which the change failed
    /// @throws IllegalStateException if the owner does not answer
    static <T> T ofOwner(CompletableFuture<T> change) {
        return await(change, OWNER_LIMIT_S, "the GPU's owner does not answer");
    }

    /// Waits for a change.
    ///
    /// @param overdue message of the exception if the time limit expires
    /// @throws RuntimeException the exception with which the change failed
    /// @throws IllegalStateException if the time limit expires
    static <T> T await(CompletableFuture<T> change, long limitSeconds, String overdue) {
        try {
            return change.get(limitSeconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(overdue, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the backend is shutting down", e);
        }
    }
}
