package dev.berth.http.budget;

/** All requests together would take more memory than they may. It ends the work on one request, which is told so. */
public final class MemoryBudgetExceededException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean permanent;

    /** @param alone what the request would take by itself */
    MemoryBudgetExceededException(long more, long used, long alone, long bytes) {
        super("%d bytes more are needed, and %d of %d are in use".formatted(more, used, bytes), null, false, false);
        this.permanent = alone > bytes;
    }

    /** Whether the request would not fit if it were the only one: sending it again does not help. */
    public boolean isPermanent() {
        return permanent;
    }
}
