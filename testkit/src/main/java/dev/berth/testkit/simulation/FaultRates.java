package dev.berth.testkit.simulation;

/**
 * How often the way to the API server misbehaves.
 *
 * @param requestLost in percent of the writes: the request never arrives
 * @param responseLost in percent of the writes: it is carried out, but the answer is lost
 * @param busy in percent of the writes: the server says it is busy
 * @param unexpected in percent of the writes: a conflict, a missing object or a refusal for no reason
 * @param slow in percent of all calls: others take their steps before it arrives, and before its answer does
 * @param denied in percent of the objects: all writes of doors and all conditions about them are denied, or meet a
 *     conflict that brings no new version, for as long as there are these faults
 * @param brokenWatches in a thousandth of the looks at a watch: it is over, and so is the past from which it could go on
 */
public record FaultRates(
        int requestLost, int responseLost, int busy, int unexpected, int slow, int denied, int brokenWatches) {
    public static final FaultRates NONE = new FaultRates(0, 0, 0);

    public FaultRates {
        if (requestLost < 0
                || responseLost < 0
                || busy < 0
                || unexpected < 0
                || requestLost + responseLost + busy + unexpected > 100) {
            throw new IllegalArgumentException("faults (%d, %d, %d, %d) must be percentages of one hundred together"
                    .formatted(requestLost, responseLost, busy, unexpected));
        }
        if (denied < 0 || denied > 100) {
            throw new IllegalArgumentException("refused (%d) must be from 0 to 100".formatted(denied));
        }
        if (slow < 0 || slow > 100 || brokenWatches < 0 || brokenWatches > 500) {
            throw new IllegalArgumentException(
                    "slow (%d) must be from 0 to 100, brokenWatches (%d) from 0 to 500".formatted(slow, brokenWatches));
        }
    }

    /** Of binds alone, all other calls go well and at once. */
    public FaultRates(int lostBefore, int lostAfter, int busy) {
        this(lostBefore, lostAfter, busy, 0, 0, 0, 0);
    }

    /** Whether calls other than binds misbehave too. */
    boolean affectsAllWrites() {
        return unexpected > 0 || slow > 0;
    }
}
