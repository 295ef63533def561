package dev.berth.sandbox.client.reconcile;

import java.time.Instant;
import java.util.Optional;

/**
 * Brings the state of one object closer to its spec. It reads the current state and never the change, so it may be
 * called at any time and any number of times.
 *
 * @param <K> the key of the object
 */
public interface KeyReconciler<K> {

    /** The name in logs. */
    String name();

    /**
     * Reconciles the object.
     *
     * @return when to reconcile again if nothing changes
     */
    Optional<Instant> reconcile(K key);
}
