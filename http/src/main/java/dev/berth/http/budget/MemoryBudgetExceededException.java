package dev.berth.http.budget;

/** All requests together would exceed the memory budget. It ends the work on one request. */
public final class MemoryBudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    /** @param alone the bytes that the request would need by itself */
    MemoryBudgetExceededException(long more, long used, long alone, long bytes) {
        super("%d bytes more are needed, and %d of %d are in use".formatted(more, used, bytes), null, false, false);
        this.permanent = alone > bytes;
    }

    /** Whether the request would exceed the budget even alone: then a retry does not help. */
    public boolean isPermanent() {
        return permanent;
    }
}
