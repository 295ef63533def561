package dev.berth.sandbox.client.reconcile;

import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.informer.RetryBackoff;
import dev.berth.sandbox.client.transport.UnreachableException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link KeyReconciler} on the keys that were enqueued, one at a time. A failed key is retried with back-off.
 *
 * @param <K> the key of the reconciled objects
 */
public final class Controller<K> {
    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);
    private static final RetryBackoff BACKOFF = new RetryBackoff(Duration.ofMillis(5), Duration.ofSeconds(30));
    private static final int FAILURES_BEFORE_WARNING = 8;

    private final KeyReconciler<K> reconciler;
    private final InstantSource clock;
    private final WorkQueue<K> queue = new WorkQueue<>();
    private final Map<K, Integer> failures = new HashMap<>();

    public Controller(KeyReconciler<K> reconciler, InstantSource clock) {
        this.reconciler = reconciler;
        this.clock = clock;
    }

    public void enqueue(K key) {
        queue.add(key);
    }

    /** Reconciles the key at that time, or earlier when it is enqueued again. */
    public void enqueueAt(K key, Instant due) {
        queue.addAt(key, due);
    }

    /** Reconciles the next key; false when none is due. */
    public boolean step() {
        Optional<K> key = queue.poll(clock.instant());
        key.ifPresent(this::reconcile);
        return key.isPresent();
    }

    /** Reconciles at most that many keys; false when none is due. */
    public boolean stepAtMost(int maxKeys) {
        int done = 0;
        while (done < maxKeys && step()) {
            done++;
        }
        return done > 0;
    }

    public Optional<Instant> nextDue() {
        return queue.nextDue(clock.instant());
    }

    private void reconcile(K key) {
        try {
            reconciler.reconcile(key).ifPresent(due -> queue.addAt(key, due));
            failures.remove(key);
        } catch (ApiException e) {
            if (e.hasCause("NamespaceTerminating")) {
                // Nothing can be created in a terminating namespace, and its end deletes this object too.
                failures.remove(key);
            } else {
                retry(key, e);
            }
        } catch (UnreachableException e) {
            retry(key, e);
        } catch (IllegalArgumentException e) {
            failures.remove(key);
            LOG.warn("{} leaves ({}) alone until it changes: {}", reconciler.name(), key, e.getMessage());
        }
    }

    private void retry(K key, RuntimeException failure) {
        int count = failures.merge(key, 1, Integer::sum);
        Duration wait = BACKOFF.delayAfter(count);
        queue.addAt(key, clock.instant().plus(wait));
        // Conflicts are normal: the watch will deliver the newer object.
        if (count < FAILURES_BEFORE_WARNING) {
            LOG.debug("{} tries ({}) again in {}: {}", reconciler.name(), key, wait, failure.getMessage());
        } else {
            LOG.warn("{} tries ({}) again in {}: {}", reconciler.name(), key, wait, failure.getMessage());
        }
    }
}
