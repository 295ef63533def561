package dev.berth.kubernetes.informer;

import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.function.Function;

/**
 * A kind of object that a door or plugin reads, and the facts that it becomes.
 *
 * @param deleteFact creates the fact for a deleted object with this UID
 */
public record WatchedResource<T>(
        ApiResource resource,
        Projection<T> projection,
        Function<T, Fact> upsertFact,
        Function<String, Fact> deleteFact) {}
