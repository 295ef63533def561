package dev.berth.http.budget;

/** All requests together would take more memory than they may. It ends the work on one request, which is told so. */
public final class OverBudget extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverBudget(long more, long used, long bytes) {
        super("%d bytes more are needed, and %d of %d are in use".formatted(more, used, bytes), null, false, false);
    }
}
