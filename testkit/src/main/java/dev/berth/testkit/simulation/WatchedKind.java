package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A kind of object that Berth reads, and the facts that it becomes. */
record WatchedKind<T>(
        RestMapping restMapping,
        Projection<T> projection,
        Function<T, Fact> toUpsertFact,
        Function<ObjectNode, Fact> toDeleteFact) {
    /** Reads the object by the projection that is also used over the network. */
    Optional<Fact> read(ObjectNode object, StreamReaders readers) {
        List<ReadResult<T>> read = new ArrayList<>(1);
        readers.readObject(WireFormat.JSON, JsonText.write(object), cursor -> read.add(projection.read(cursor)));
        ReadResult<T> one = read.get(0);
        if (!one.problem().isEmpty()) {
            throw new IllegalStateException(one.problem());
        }
        return one.view().map(toUpsertFact);
    }

    static String uid(ObjectNode object) {
        return object.path("metadata").path("uid").asText();
    }
}
