package dev.berth.engine;

import java.time.Instant;

/** Whether this process may promise anything. */
@FunctionalInterface
public interface Leadership {
    /** For a process that is alone by construction. */
    Leadership ALWAYS = deadline -> true;

    /** Whether this process is the leader now and will surely still be at the deadline of a write. */
    boolean coversUntil(Instant deadline);
}
