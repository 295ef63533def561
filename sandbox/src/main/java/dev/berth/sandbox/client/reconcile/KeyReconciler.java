package dev.berth.sandbox.client.reconcile;

import java.time.Instant;
import java.util.Optional;

/**
 * Brings one thing closer to what it is asked to be. Looks at the state as it is and never at what changed, so it may be
 * called at any time and as often as wanted.
 *
 * @param <K> what names the thing
 */
public interface KeyReconciler<K> {

    /** The name in logs. */
    String name();

    /**
     * Does what can be done now.
     *
     * @return when to look again although nothing changes
     */
    Optional<Instant> reconcile(K key);
}
