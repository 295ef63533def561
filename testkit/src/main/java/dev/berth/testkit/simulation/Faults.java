package dev.berth.testkit.simulation;

/**
 * How often the way to the API server misbehaves, in percent of the binds.
 *
 * @param lostBefore the request never arrives
 * @param lostAfter it is carried out, but the answer is lost
 * @param busy the server says it is busy
 */
public record Faults(int lostBefore, int lostAfter, int busy) {
    public static final Faults NONE = new Faults(0, 0, 0);

    public Faults {
        if (lostBefore < 0 || lostAfter < 0 || busy < 0 || lostBefore + lostAfter + busy > 100) {
            throw new IllegalArgumentException("faults (%d, %d, %d) must be percentages of one hundred together"
                    .formatted(lostBefore, lostAfter, busy));
        }
    }
}
