package dev.berth.bench.holds;

import java.util.List;

/** Something that is played at several sizes. */
interface Load {
    String name();

    /** What the time is divided by, in words. */
    String itemName();

    /** The largest size that Berth accepts unless it is configured otherwise. */
    int defaultLimit();

    /** How long it may take. */
    List<PerformanceTarget> targets();

    /** Makes what must be there before; not measured. */
    void prepare(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;

    /**
     * Plays it to its end.
     *
     * @return by how much the time is divided
     */
    int run(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;
}
