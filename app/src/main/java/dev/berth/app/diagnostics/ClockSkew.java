package dev.berth.app.diagnostics;

import java.time.Duration;
import java.util.Optional;

/** How the clock of this machine stands to that of the API server. Safe from any thread. */
public interface ClockSkew {
    /** How far the API server's clock is ahead of this machine's; negative where it is behind, empty before it is known. */
    Optional<Duration> skew();

    /** In words, where the two differ so much that somebody should set one of them. */
    Optional<String> warning();
}
