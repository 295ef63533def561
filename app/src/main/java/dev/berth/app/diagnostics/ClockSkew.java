package dev.berth.app.diagnostics;

import java.time.Duration;
import java.util.Optional;

/** The difference between this machine's clock and the API server's. Safe from any thread. */
public interface ClockSkew {
    /**
     * How far the API server's clock is ahead of this machine's; negative if it is behind, empty before it is known.
     */
    Optional<Duration> skew();

    /** The warning if the difference is so large that one of the clocks should be set. */
    Optional<String> warning();
}
