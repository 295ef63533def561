package dev.berth.embedded.workload.control;

import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Mirror;
import dev.berth.embedded.client.mirror.Stepper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One mirror a resource, shared by all controllers. */
public final class Mirrors implements Stepper {
    private final Environment environment;
    private final Map<Resource, Mirror> mirrors = new TreeMap<>();

    public Mirrors(Environment environment) {
        this.environment = environment;
    }

    /** The cache of all objects of the resource, followed from now on. */
    public Cache of(Resource resource) {
        return mirrors.computeIfAbsent(resource, each -> new Mirror(environment, each, Selection.ALL))
                .cache();
    }

    /** The cache of the resource if it is followed. */
    public Optional<Cache> followed(Resource resource) {
        return Optional.ofNullable(mirrors.get(resource)).map(Mirror::cache);
    }

    /** Follows the resource no longer; its cache keeps what it has. */
    public void forget(Resource resource) {
        Optional.ofNullable(mirrors.remove(resource)).ifPresent(Mirror::close);
    }

    /** Whether everything followed has been listed. */
    public boolean synced() {
        return mirrors.values().stream().allMatch(Mirror::synced);
    }

    @Override
    public boolean step() {
        boolean progress = false;
        // A listener may follow a further resource while the mirrors are stepped.
        for (Mirror mirror : new ArrayList<>(mirrors.values())) {
            progress |= mirror.step();
        }
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = Optional.empty();
        for (Mirror mirror : mirrors.values()) {
            next = Stepper.earlier(next, mirror.nextDue());
        }
        return next;
    }

    @Override
    public void close() {
        mirrors.values().forEach(Mirror::close);
    }
}
