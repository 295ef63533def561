package dev.berth.embedded.client.mirror;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Page;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.transport.UnreachableException;
import dev.berth.embedded.client.transport.WatchEvent;
import dev.berth.embedded.client.transport.WatchStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a {@link Cache} equal to a server's objects: lists once, then watches; resumes a watch that ended where it stood,
 * and lists again when the server no longer remembers that point. All methods are called by one thread.
 */
public final class Mirror implements Stepper {
    private static final Logger LOG = LoggerFactory.getLogger(Mirror.class);
    private static final int PAGE = 500;
    private static final int EVENTS_A_STEP = 1_000;
    private static final Duration WATCH_LIFE = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(800), Duration.ofSeconds(30));

    private final Environment environment;
    private final Resource resource;
    private final Selection selection;
    private final Cache cache;
    private Optional<WatchStream> stream = Optional.empty();
    private String version = "";
    private Instant openedAt = Instant.MIN;
    private Instant silentAt = Instant.MAX;
    private Instant retryAt = Instant.MIN;
    private boolean heard;
    private int failures;

    public Mirror(Environment environment, Resource resource, Selection selection) {
        this.environment = environment;
        this.resource = resource;
        this.selection = selection;
        this.cache = new Cache(resource);
    }

    public Cache cache() {
        return cache;
    }

    public Resource resource() {
        return resource;
    }

    /** Whether the first list is in. */
    public boolean synced() {
        return cache.filled();
    }

    @Override
    public boolean step() {
        Instant now = environment.clock().instant();
        if (now.isBefore(retryAt)) {
            return false;
        }
        try {
            return advance(now);
        } catch (ApiException e) {
            failed(now, e);
            return true;
        } catch (UnreachableException e) {
            failed(now, e);
            return true;
        }
    }

    private boolean advance(Instant now) {
        if (version.isEmpty()) {
            list();
            return true;
        }
        if (stream.isEmpty()) {
            open(now);
            return true;
        }
        WatchStream open = stream.get();
        boolean progress = drain(open, now);
        if (stream.isPresent() && (open.ended() || now.isAfter(silentAt))) {
            ended(now);
            return true;
        }
        return progress;
    }

    /** A server that ends every watch at once must not be asked in a tight loop. */
    private void ended(Instant now) {
        endWatch();
        if (!heard && now.isBefore(openedAt.plus(SHORT))) {
            failures++;
            retryAt = now.plus(BACKOFF.after(failures));
        }
    }

    private void list() {
        List<ObjectNode> items = new ArrayList<>();
        String next = "";
        Page page;
        do {
            page = environment.client().list(resource, selection, PAGE, next);
            items.addAll(page.items());
            next = page.next();
        } while (!next.isEmpty());
        version = page.resourceVersion();
        cache.replaceAll(items, version);
        failures = 0;
    }

    /** Lives between one and two times {@link #WATCH_LIFE}, so that not all watches end at once. */
    private void open(Instant now) {
        Duration life = WATCH_LIFE.plusSeconds(environment.random().nextInt((int) WATCH_LIFE.toSeconds()));
        stream = Optional.of(environment.client().watch(resource, selection, version, life, environment.bell()::ring));
        heard = false;
        openedAt = now;
        silentAt = now.plus(life).plus(PATIENCE);
    }

    private boolean drain(WatchStream open, Instant now) {
        int taken = 0;
        while (taken < EVENTS_A_STEP) {
            Optional<WatchEvent> event = open.poll();
            if (event.isEmpty()) {
                break;
            }
            taken++;
            heard = true;
            failures = 0;
            apply(event.get(), now);
            if (stream.isEmpty()) {
                break;
            }
        }
        return taken > 0;
    }

    private void apply(WatchEvent event, Instant now) {
        switch (event.type()) {
            case ADDED, MODIFIED -> {
                cache.put(event.object());
                version = Meta.resourceVersion(event.object());
            }
            case DELETED -> {
                cache.remove(event.object());
                version = Meta.resourceVersion(event.object());
            }
            case BOOKMARK -> version = Meta.resourceVersion(event.object());
            case ERROR -> failed(now, new ApiException(Json.number(event.object(), 500, "code"), event.object()));
        }
    }

    private void failed(Instant now, RuntimeException problem) {
        endWatch();
        failures++;
        boolean forgotten = problem instanceof ApiException refusal && refusal.gone();
        if (forgotten) {
            version = "";
        }
        // A version that is too old is normal after a pause: the first list comes at once, a second failure waits.
        if (forgotten && failures == 1) {
            LOG.debug("{} are listed again: {}", resource.plural(), problem.getMessage());
            return;
        }
        Duration wait = BACKOFF.after(failures);
        retryAt = now.plus(wait).plusMillis(environment.random().nextLong(wait.toMillis()));
        LOG.warn("{} cannot be followed, next try at {}: {}", resource.plural(), retryAt, problem.getMessage());
    }

    private void endWatch() {
        stream.ifPresent(WatchStream::close);
        stream = Optional.empty();
    }

    @Override
    public Optional<Instant> nextDue() {
        Instant now = environment.clock().instant();
        if (now.isBefore(retryAt)) {
            return Optional.of(retryAt);
        }
        return Optional.of(stream.isPresent() ? silentAt.plusMillis(1) : now);
    }

    @Override
    public void close() {
        endWatch();
    }
}
