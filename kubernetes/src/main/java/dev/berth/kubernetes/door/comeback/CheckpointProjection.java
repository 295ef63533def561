package dev.berth.kubernetes.door.comeback;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.CheckpointObject;
import dev.berth.core.door.comeback.CheckpointedPod;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads Checkpoints. An entry that makes no sense is left out, and the rest is read. */
final class CheckpointProjection implements Projection<CheckpointObject> {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointProjection.class);
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec");

    private final Meta meta = new Meta(key -> false);

    @Override
    public Seen<CheckpointObject> read(Cursor in) {
        meta.clear();
        Tree spec = Tree.EMPTY;
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec = Tree.read(in.json());
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, new CheckpointObject(meta.name(), meta.uid(), meta.generation(), pods(spec)));
        } catch (MalformedObject malformed) {
            return Seen.unreadable(meta, "checkpoint", malformed);
        }
    }

    private Map<PodUid, CheckpointedPod> pods(Tree spec) {
        Map<PodUid, CheckpointedPod> pods = new TreeMap<>();
        for (String uid : spec.tree("pods").orElse(Tree.EMPTY).toMap().keySet()) {
            try {
                pods.put(
                        new PodUid(uid),
                        pod(new PodUid(uid), spec.tree("pods", uid).orElse(Tree.EMPTY)));
            } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
                LOG.warn("checkpoint {}: spec.pods.{} is left out: {}", meta.name(), uid, malformed.getMessage());
            }
        }
        return pods;
    }

    private static CheckpointedPod pod(PodUid uid, Tree pod) {
        return new CheckpointedPod(
                uid,
                pod.text("namespace"),
                pod.text("name"),
                pod.text("nodeName"),
                pod.text("nodeUID"),
                pod.text("key"),
                Duration.ofSeconds(pod.number("ttlSeconds")),
                requests(pod.text("requests")),
                Checkpoints.ports(pod),
                pod.text("schedulerName"),
                Math.toIntExact(pod.number("priority")),
                new CheckpointedPod.Controller(
                        pod.text("controllerAPIVersion"),
                        pod.text("controllerKind"),
                        pod.text("controllerName"),
                        pod.text("controllerUID")),
                pod.text("hold"),
                pod.texts("askedByUIDs"),
                pod.flag(true, "leavesPlace"),
                pod.text("reservationUID"),
                labels(pod.text("labels")),
                Tolerations.read(pod));
    }

    private static Labels labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new MalformedObject("labels (%s) must be a list such as app=web,tier=front".formatted(text));
            }
            labels.put(part.substring(0, equals), part.substring(equals + 1));
        }
        return Labels.of(labels);
    }

    private static Resources requests(String text) {
        Map<ResourceName, Quantity> requests = new HashMap<>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new MalformedObject("requests (%s) must be a list such as cpu=1,memory=2Gi".formatted(text));
            }
            requests.put(new ResourceName(part.substring(0, equals)), Quantity.parse(part.substring(equals + 1)));
        }
        return Resources.ofQuantities(requests);
    }
}
