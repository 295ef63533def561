package dev.berth.bench.holds;

import java.util.List;

/** A load that runs at several sizes. */
interface Load {
    String name();

    /** The unit by which the time is divided, for the report. */
    String itemName();

    /** The largest size that Berth accepts with its default configuration. */
    int defaultLimit();

    /** The time limit. */
    List<PerformanceTarget> targets();

    /** Creates the objects that must exist before; not measured. */
    void prepare(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;

    /**
     * Runs the load.
     *
     * @return the number by which the time is divided
     */
    int run(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;
}
