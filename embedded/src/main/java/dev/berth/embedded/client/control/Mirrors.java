package dev.berth.embedded.client.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.Mirror;
import dev.berth.embedded.client.mirror.Stepper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** One mirror a resource, shared by all controllers. */
public final class Mirrors implements Stepper {
    private final Environment environment;
    private final Map<Resource, Mirror> mirrors = new TreeMap<>();
    private final Set<Resource> awaited = new TreeSet<>();
    private final Map<String, Index> indexes = new HashMap<>();

    public Mirrors(Environment environment) {
        this.environment = environment;
    }

    /** The cache of all objects of the resource, followed from now on; nobody acts before it is filled. */
    public Cache of(Resource resource) {
        awaited.add(resource);
        return follow(resource);
    }

    /** The index of the resource by that name, made by the first who asks. */
    public Index index(Resource resource, String name, Function<ObjectNode, ? extends Collection<String>> property) {
        return indexes.computeIfAbsent(
                resource.path() + "#" + name, none -> of(resource).index(property));
    }

    /** The cache of all objects of the resource, followed from now on, which nobody waits for. */
    public Cache follow(Resource resource) {
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

    /** Whether everything that is awaited has been listed. */
    public boolean synced() {
        return mirrors.entrySet().stream()
                .filter(entry -> awaited.contains(entry.getKey()))
                .allMatch(entry -> entry.getValue().synced());
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
