package dev.berth.kubernetes.watch;

/** How the list and watch of one kind go. Told on the reflector's thread, read on any. */
public final class WatchHealth {
    /** One failure is nothing: connections end. So many in a row, with nothing read in between, do not heal by themselves. */
    public static final int FAILING_AFTER = 3;

    /**
     * A moment of it.
     *
     * @param inRow failures since the watch last worked
     * @param failures all failures
     * @param error what failed last, or empty when the watch works
     * @param unreadable objects that are there and cannot be read
     * @param unreadableEvents list items and events that could not be read
     * @param missing whether the API server has no definition of the kind, though it should
     */
    public record State(
            String kind,
            int inRow,
            long failures,
            String error,
            int unreadable,
            long unreadableEvents,
            boolean missing) {
        private State works() {
            return new State(kind, 0, failures, "", unreadable, unreadableEvents, missing);
        }

        private State missing(boolean now) {
            return new State(kind, inRow, failures, error, unreadable, unreadableEvents, now);
        }

        /** Whether the watch fails again and again. */
        public boolean failing() {
            return inRow >= FAILING_AFTER;
        }
    }

    private volatile State state;

    WatchHealth(String kind) {
        this.state = new State(kind, 0, 0, "", 0, 0, false);
    }

    public State state() {
        return state;
    }

    void failed(String error) {
        State now = state;
        state = new State(
                now.kind, now.inRow + 1, now.failures + 1, error, now.unreadable, now.unreadableEvents, now.missing);
    }

    void works() {
        State now = state;
        if (now.inRow > 0) {
            state = now.works();
        }
    }

    /** The API server has no definition of the kind: there are no such objects, and the watch is not at fault. */
    void missing() {
        state = state.works().missing(true);
    }

    /** The API server listed the kind. */
    void defined() {
        if (state.missing) {
            state = state.missing(false);
        }
    }

    void unreadable(int objects) {
        State now = state;
        state = new State(now.kind, now.inRow, now.failures, now.error, objects, now.unreadableEvents, now.missing);
    }

    void unreadableEvent() {
        State now = state;
        state = new State(
                now.kind, now.inRow, now.failures, now.error, now.unreadable, now.unreadableEvents + 1, now.missing);
    }
}
