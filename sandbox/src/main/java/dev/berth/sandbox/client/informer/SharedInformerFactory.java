package dev.berth.sandbox.client.informer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
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

/** One informer per resource, shared by all controllers. */
public final class SharedInformerFactory implements EventLoopTask {
    private final LoopEnvironment environment;
    private final Map<RestMapping, Informer> informers = new TreeMap<>();
    private final Set<RestMapping> requiredResources = new TreeSet<>();
    private final Map<String, Index> indexes = new HashMap<>();

    public SharedInformerFactory(LoopEnvironment environment) {
        this.environment = environment;
    }

    /** The cache of all objects of the resource, watched from now on. Controllers do not start before it has synced. */
    public InformerCache cacheFor(RestMapping restMapping) {
        requiredResources.add(restMapping);
        return startInformer(restMapping);
    }

    /** The index of the resource by that name, created on first use. */
    public Index sharedIndex(
            RestMapping restMapping, String name, Function<ObjectNode, ? extends Collection<String>> property) {
        return indexes.computeIfAbsent(
                restMapping.path() + "#" + name, none -> cacheFor(restMapping).index(property));
    }

    /** The cache of all objects of the resource, watched from now on. Controllers do not wait for it. */
    public InformerCache startInformer(RestMapping restMapping) {
        return informers
                .computeIfAbsent(restMapping, each -> new Informer(environment, each, ListScope.ALL))
                .cache();
    }

    /** The cache of the resource if it is watched. */
    public Optional<InformerCache> findCache(RestMapping restMapping) {
        return Optional.ofNullable(informers.get(restMapping)).map(Informer::cache);
    }

    /** Stops the watch of the resource; its cache keeps its objects. */
    public void stopInformer(RestMapping restMapping) {
        Optional.ofNullable(informers.remove(restMapping)).ifPresent(Informer::close);
    }

    /** Whether all caches that controllers wait for have synced. */
    public boolean hasSynced() {
        return informers.entrySet().stream()
                .filter(entry -> requiredResources.contains(entry.getKey()))
                .allMatch(entry -> entry.getValue().hasSynced());
    }

    @Override
    public boolean step() {
        boolean progress = false;
        // A listener may add a resource while the informers are stepped.
        for (Informer informer : new ArrayList<>(informers.values())) {
            progress |= informer.step();
        }
        return progress;
    }

    @Override
    public Optional<Instant> nextDue() {
        Optional<Instant> next = Optional.empty();
        for (Informer informer : informers.values()) {
            next = EventLoopTask.earliest(next, informer.nextDue());
        }
        return next;
    }

    @Override
    public void close() {
        informers.values().forEach(Informer::close);
    }
}
