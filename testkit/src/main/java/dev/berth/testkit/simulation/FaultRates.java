package dev.berth.testkit.simulation;

/**
 * How often requests to the API server fail.
 *
 * @param requestLost in percent of the writes: the request never arrives
 * @param responseLost in percent of the writes: it is carried out, but the response is lost
 * @param busy in percent of the writes: the server is busy
 * @param unexpected in percent of the writes: a conflict, a missing object or a denial without a reason
 * @param slow in percent of all calls: other steps happen before the request arrives, and before its response arrives
 * @param denied in percent of the objects: all door writes and conditions about them are denied, or meet a conflict
 * without a new version, as long as these faults last
 * @param brokenWatches in thousandths of the polls of a watch: the watch ends, and its version is expired
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
            throw new IllegalArgumentException("denied (%d) must be from 0 to 100".formatted(denied));
        }
        if (slow < 0 || slow > 100 || brokenWatches < 0 || brokenWatches > 500) {
            throw new IllegalArgumentException(
                    "slow (%d) must be from 0 to 100, brokenWatches (%d) from 0 to 500".formatted(slow, brokenWatches));
        }
    }

    /** Only binds fail; all other calls succeed at once. */
    public FaultRates(int lostBefore, int lostAfter, int busy) {
        this(lostBefore, lostAfter, busy, 0, 0, 0, 0);
    }

    /** Whether calls other than binds fail, too. */
    boolean affectsAllWrites() {
        return unexpected > 0 || slow > 0;
    }
}
