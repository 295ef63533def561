package dev.berth.kubernetes.watch;

/** The state of the list and watch of one kind. Written on the reflector's thread, read on any thread. */
public final class WatchHealth {
    /** A single failure is normal: connections end. So many in a row, without any data in between, need attention. */
    public static final int FAILING_AFTER = 3;

    /**
     * A copy of the state.
     *
     * @param consecutiveFailures failures since the watch last worked
     * @param failures all failures
     * @param lastError the last error; empty if the watch works
     * @param unreadableObjects existing objects that cannot be read
     * @param unreadableEvents list items and events that could not be read
     * @param kindMissing whether the API server lacks the kind although it is required
     */
    public record WatchStatus(
            String kind,
            int consecutiveFailures,
            long failures,
            String lastError,
            int unreadableObjects,
            long unreadableEvents,
            boolean kindMissing) {
        private WatchStatus withSuccess() {
            return new WatchStatus(kind, 0, failures, "", unreadableObjects, unreadableEvents, kindMissing);
        }

        private WatchStatus withKindMissing(boolean now) {
            return new WatchStatus(
                    kind, consecutiveFailures, failures, lastError, unreadableObjects, unreadableEvents, now);
        }

        /** Whether the watch fails repeatedly. */
        public boolean isFailing() {
            return consecutiveFailures >= FAILING_AFTER;
        }
    }

    private volatile WatchStatus watchStatus;

    WatchHealth(String kind) {
        this.watchStatus = new WatchStatus(kind, 0, 0, "", 0, 0, false);
    }

    public WatchStatus watchStatus() {
        return watchStatus;
    }

    void recordFailure(String error) {
        WatchStatus now = watchStatus;
        watchStatus = new WatchStatus(
                now.kind,
                now.consecutiveFailures + 1,
                now.failures + 1,
                error,
                now.unreadableObjects,
                now.unreadableEvents,
                now.kindMissing);
    }

    void recordSuccess() {
        WatchStatus now = watchStatus;
        if (now.consecutiveFailures > 0) {
            watchStatus = now.withSuccess();
        }
    }

    /** The API server does not have the kind: there are no such objects, and the watch itself is healthy. */
    void recordMissingKind() {
        watchStatus = watchStatus.withSuccess().withKindMissing(true);
    }

    /** The API server listed the kind. */
    void recordKindServed() {
        if (watchStatus.kindMissing) {
            watchStatus = watchStatus.withKindMissing(false);
        }
    }

    void setUnreadableObjects(int objects) {
        WatchStatus now = watchStatus;
        watchStatus = new WatchStatus(
                now.kind,
                now.consecutiveFailures,
                now.failures,
                now.lastError,
                objects,
                now.unreadableEvents,
                now.kindMissing);
    }

    void countUnreadableEvent() {
        WatchStatus now = watchStatus;
        watchStatus = new WatchStatus(
                now.kind,
                now.consecutiveFailures,
                now.failures,
                now.lastError,
                now.unreadableObjects,
                now.unreadableEvents + 1,
                now.kindMissing);
    }
}
