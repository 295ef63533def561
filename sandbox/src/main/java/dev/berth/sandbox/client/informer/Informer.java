package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.ListPage;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.client.transport.WatchEvent;
import dev.berth.sandbox.client.transport.WatchStream;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link InformerCache} equal to a server's objects: lists once, then watches; resumes a watch that ended where it stood,
 * and lists again when the server no longer remembers that point. All methods are called by one thread.
 */
public final class Informer implements EventLoopTask {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);
    private static final int PAGE_SIZE = 500;
    private static final int MAX_EVENTS_PER_STEP = 1_000;
    private static final Duration WATCH_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration SHORT_WATCH = Duration.ofSeconds(1);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final RetryBackoff BACKOFF = new RetryBackoff(Duration.ofMillis(800), Duration.ofSeconds(30));

    private final LoopEnvironment environment;
    private final RestMapping restMapping;
    private final ListScope listScope;
    private final InformerCache cache;
    private Optional<WatchStream> stream = Optional.empty();
    private String resumeVersion = "";
    private Instant openedAt = Instant.MIN;
    private Instant idleDeadline = Instant.MAX;
    private Instant retryAt = Instant.MIN;
    private boolean receivedEvent;
    private int failures;

    public Informer(LoopEnvironment environment, RestMapping restMapping, ListScope listScope) {
        this.environment = environment;
        this.restMapping = restMapping;
        this.listScope = listScope;
        this.cache = new InformerCache(restMapping);
    }

    public InformerCache cache() {
        return cache;
    }

    /** Whether the first list has arrived. */
    public boolean hasSynced() {
        return cache.hasSynced();
    }

    @Override
    public boolean step() {
        Instant now = environment.clock().instant();
        if (now.isBefore(retryAt)) {
            return false;
        }
        try {
            return listOrWatch(now);
        } catch (ApiException e) {
            onFailure(now, e);
            return true;
        } catch (UnreachableException e) {
            onFailure(now, e);
            return true;
        }
    }

    private boolean listOrWatch(Instant now) {
        if (resumeVersion.isEmpty()) {
            relist();
            return true;
        }
        if (stream.isEmpty()) {
            openWatch(now);
            return true;
        }
        WatchStream open = stream.get();
        boolean progress = drainWatch(open, now);
        if (stream.isPresent() && (open.ended() || now.isAfter(idleDeadline))) {
            onWatchEnded(now);
            return true;
        }
        return progress;
    }

    /** Avoids a tight loop when the server ends every watch at once. */
    private void onWatchEnded(Instant now) {
        closeWatch();
        if (!receivedEvent && now.isBefore(openedAt.plus(SHORT_WATCH))) {
            failures++;
            retryAt = now.plus(BACKOFF.delayAfter(failures));
        }
    }

    private void relist() {
        List<ObjectNode> items = new ArrayList<>();
        String next = "";
        ListPage page;
        do {
            page = environment.client().list(restMapping, listScope, PAGE_SIZE, next);
            items.addAll(page.items());
            next = page.continueToken();
        } while (!next.isEmpty());
        resumeVersion = page.resourceVersion();
        cache.replaceWithList(items, resumeVersion);
        failures = 0;
    }

    /** Lives between one and two times {@link #WATCH_TIMEOUT}, so that not all watches end at once. */
    private void openWatch(Instant now) {
        Duration life = WATCH_TIMEOUT.plusSeconds(environment.random().nextInt((int) WATCH_TIMEOUT.toSeconds()));
        stream = Optional.of(environment
                .client()
                .watch(restMapping, listScope, resumeVersion, life, environment.wakeSignal()::signal));
        receivedEvent = false;
        openedAt = now;
        idleDeadline = now.plus(life).plus(IDLE_TIMEOUT);
    }

    private boolean drainWatch(WatchStream open, Instant now) {
        int taken = 0;
        while (taken < MAX_EVENTS_PER_STEP) {
            Optional<WatchEvent> event = open.poll();
            if (event.isEmpty()) {
                break;
            }
            taken++;
            receivedEvent = true;
            failures = 0;
            applyEvent(event.get(), now);
            if (stream.isEmpty()) {
                break;
            }
        }
        return taken > 0;
    }

    private void applyEvent(WatchEvent event, Instant now) {
        switch (event.type()) {
            case ADDED, MODIFIED -> {
                cache.onWatchUpsert(event.object());
                resumeVersion = ObjectMetaReader.resourceVersion(event.object());
            }
            case DELETED -> {
                cache.onWatchDelete(event.object());
                resumeVersion = ObjectMetaReader.resourceVersion(event.object());
            }
            case BOOKMARK -> resumeVersion = ObjectMetaReader.resourceVersion(event.object());
            case ERROR ->
                onFailure(now, new ApiException(NestedFields.intValue(event.object(), 500, "code"), event.object()));
        }
    }

    private void onFailure(Instant now, RuntimeException problem) {
        closeWatch();
        failures++;
        boolean forgotten = problem instanceof ApiException refusal && refusal.isGone();
        if (forgotten) {
            resumeVersion = "";
        }
        // A version that is too old is normal after a pause: the first list comes at once, a second failure waits.
        if (forgotten && failures == 1) {
            LOG.debug("{} are listed again: {}", restMapping.plural(), problem.getMessage());
            return;
        }
        Duration wait = BACKOFF.delayAfter(failures);
        retryAt = now.plus(wait).plusMillis(environment.random().nextLong(wait.toMillis()));
        LOG.warn("{} cannot be followed, next try at {}: {}", restMapping.plural(), retryAt, problem.getMessage());
    }

    private void closeWatch() {
        stream.ifPresent(WatchStream::close);
        stream = Optional.empty();
    }

    @Override
    public Optional<Instant> nextDue() {
        Instant now = environment.clock().instant();
        if (now.isBefore(retryAt)) {
            return Optional.of(retryAt);
        }
        return Optional.of(stream.isPresent() ? idleDeadline.plusMillis(1) : now);
    }

    @Override
    public void close() {
        closeWatch();
    }
}
