package dev.berth.kubernetes.feed;

import dev.berth.core.decision.Fact;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.watch.KindPath;
import java.util.function.Function;

/**
 * A kind of object that a door reads, and the facts that the door knows it by.
 *
 * @param gone what to tell the door when the object of this UID is no longer there
 */
public record ObjectFeed<T>(
        KindPath kind, Projection<T> projection, Function<T, Fact> seen, Function<String, Fact> gone) {}
