package dev.berth.kubernetes.door.godel;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.CheckpointObject;
import dev.berth.core.door.godel.CheckpointedPod;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads Checkpoints. A malformed entry is dropped, and the other entries are read. */
final class CheckpointProjection implements Projection<CheckpointObject> {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointProjection.class);
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");

    private final ObjectMeta meta = new ObjectMeta(key -> false);

    @Override
    public ReadResult<CheckpointObject> read(Cursor in) {
        meta.clear();
        JsonObject spec = JsonObject.EMPTY;
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec = JsonObject.parse(in.rawJson());
                    default -> in.skip();
                }
            }
            return ReadResult.readable(
                    meta, new CheckpointObject(meta.name(), meta.uid(), meta.generation(), readPods(spec)));
        } catch (MalformedObjectException malformed) {
            return ReadResult.unreadable(meta, "checkpoint", malformed);
        }
    }

    private Map<PodUid, CheckpointedPod> readPods(JsonObject spec) {
        Map<PodUid, CheckpointedPod> pods = new TreeMap<>();
        for (String uid : spec.object("pods").orElse(JsonObject.EMPTY).toMap().keySet()) {
            try {
                pods.put(
                        new PodUid(uid),
                        readPod(new PodUid(uid), spec.object("pods", uid).orElse(JsonObject.EMPTY)));
            } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
                LOG.warn("checkpoint {}: spec.pods.{} is ignored: {}", meta.name(), uid, malformed.getMessage());
            }
        }
        return pods;
    }

    private static CheckpointedPod readPod(PodUid uid, JsonObject pod) {
        return new CheckpointedPod(
                uid,
                pod.text("namespace"),
                pod.text("name"),
                pod.text("nodeName"),
                pod.text("nodeUID"),
                pod.text("successorKey"),
                Duration.ofSeconds(pod.number("ttlSeconds")),
                parseRequests(pod.text("requests")),
                CheckpointApi.ports(pod),
                pod.text("schedulerName"),
                Math.toIntExact(pod.number("priority")),
                new CheckpointedPod.Controller(
                        pod.text("controllerAPIVersion"),
                        pod.text("controllerKind"),
                        pod.text("controllerName"),
                        pod.text("controllerUID")),
                pod.text("holds"),
                pod.texts("requestedByUIDs"),
                pod.flag(true, "reserveOnDelete"),
                pod.text("reservationUID"),
                parseLabels(pod.text("labels")),
                TolerationCodec.decodeAll(pod));
    }

    private static Labels parseLabels(String text) {
        Map<String, String> labels = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new MalformedObjectException(
                        "labels (%s) must be a list such as app=web,tier=front".formatted(text));
            }
            labels.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return Labels.of(labels);
    }

    private static Resources parseRequests(String text) {
        Map<ResourceName, Quantity> requests = new HashMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new MalformedObjectException(
                        "requests (%s) must be a list such as cpu=1,memory=2Gi".formatted(text));
            }
            requests.put(new ResourceName(part.substring(0, equals)), Quantity.parse(part.substring(equals + 1)));
        }
        return Resources.ofQuantities(requests);
    }
}
