package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.decision.Fact;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A kind of object that Berth reads, and the facts that Berth knows it by. */
record Kind<T>(Resource resource, Projection<T> projection, Function<T, Fact> seen, Function<ObjectNode, Fact> gone) {
    /** What Berth reads in the object, by the projection that it uses over the network. */
    Optional<Fact> read(ObjectNode object, Readers readers) {
        List<Seen<T>> read = new ArrayList<>(1);
        readers.object(Format.JSON, Json.bytes(object), cursor -> read.add(projection.read(cursor)));
        Seen<T> one = read.get(0);
        if (!one.problem().isEmpty()) {
            throw new IllegalStateException(one.problem());
        }
        return one.view().map(seen);
    }

    static String uid(ObjectNode object) {
        return object.path("metadata").path("uid").asText();
    }
}
