package dev.berth.engine;

import java.time.Duration;

/** Whether this process may write; {@link LedgerLoop} checks it before every bind and write. */
@FunctionalInterface
public interface Leadership {
    /** For a process without replicas. */
    Leadership ALWAYS = write -> true;

    /** Whether this process is the leader and its Lease outlasts a write that is sent now and takes this long. */
    boolean holdsLeaseFor(Duration writeTimeout);
}
