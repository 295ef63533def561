package dev.berth.testkit.simulation;

/**
 * How often the way to the API server misbehaves.
 *
 * @param lostBefore in percent of the writes: the request never arrives
 * @param lostAfter in percent of the writes: it is carried out, but the answer is lost
 * @param busy in percent of the writes: the server says it is busy
 * @param odd in percent of the writes: a conflict, a missing object or a refusal for no reason
 * @param slow in percent of all calls: others take their steps before it arrives, and before its answer does
 * @param refused in percent of the objects: all writes of doors and all conditions about them are denied, or meet a
 *     conflict that brings no new version, for as long as there are these faults
 * @param brokenWatches in a thousandth of the looks at a watch: it is over, and so is the past from which it could go on
 */
public record Faults(int lostBefore, int lostAfter, int busy, int odd, int slow, int refused, int brokenWatches) {
    public static final Faults NONE = new Faults(0, 0, 0);

    public Faults {
        if (lostBefore < 0 || lostAfter < 0 || busy < 0 || odd < 0 || lostBefore + lostAfter + busy + odd > 100) {
            throw new IllegalArgumentException("faults (%d, %d, %d, %d) must be percentages of one hundred together"
                    .formatted(lostBefore, lostAfter, busy, odd));
        }
        if (refused < 0 || refused > 100) {
            throw new IllegalArgumentException("refused (%d) must be from 0 to 100".formatted(refused));
        }
        if (slow < 0 || slow > 100 || brokenWatches < 0 || brokenWatches > 500) {
            throw new IllegalArgumentException(
                    "slow (%d) must be from 0 to 100, brokenWatches (%d) from 0 to 500".formatted(slow, brokenWatches));
        }
    }

    /** Of binds alone, all other calls go well and at once. */
    public Faults(int lostBefore, int lostAfter, int busy) {
        this(lostBefore, lostAfter, busy, 0, 0, 0, 0);
    }

    /** Whether calls other than binds misbehave too. */
    boolean everywhere() {
        return odd > 0 || slow > 0;
    }
}
