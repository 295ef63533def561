package dev.berth.kubernetes.informer;

import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.function.Function;

/**
 * A kind of object that a door reads, and the facts that the door knows it by.
 *
 * @param deleteFact what to tell the door when the object of this UID is no longer there
 */
public record WatchedResource<T>(
        ApiResource resource,
        Projection<T> projection,
        Function<T, Fact> upsertFact,
        Function<String, Fact> deleteFact) {}
