package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.sharing.Pool;
import dev.berth.kubernetes.sharing.Quantities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads nodes. Images that lie on many of them are shared. */
public final class NodeProjection implements Projection<Node> {
    private static final String KIND = "node";
    private static final FieldNames NODE =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC =
            FieldNames.none().with(4, "unschedulable").with(5, "taints");
    private static final FieldNames STATUS = FieldNames.none()
            .withMap(2, "allocatable")
            .with(4, "conditions")
            .with(8, "images")
            .with(14, "declaredFeatures");
    private static final FieldNames CONDITION =
            FieldNames.none().with(1, "type").with(2, "status").with(4, "lastTransitionTime");
    private static final FieldNames IMAGE = FieldNames.none().with(1, "names").with(2, "sizeBytes");

    private final Quantities quantities = new Quantities();
    private final Pool<Image> sharedImages = new Pool<>(1 << 14);
    private final Meta meta;
    private final Map<ResourceName, Quantity> allocatable = new HashMap<>();
    private final List<Taint> taints = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();
    private final List<String> features = new ArrayList<>(0);
    private boolean unschedulable;
    private Optional<Instant> notReadySince = Optional.empty();

    /**
     * Makes a projection.
     *
     * @param annotationsWanted which annotations somebody reads; the others are not kept
     */
    public NodeProjection(Predicate<String> annotationsWanted) {
        this.meta = new Meta(annotationsWanted);
    }

    @Override
    public Seen<Node> read(Cursor in) {
        clear();
        try {
            for (int field = in.next(NODE); field != 0; field = in.next(NODE)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    case 3 -> status(in);
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, node());
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
            return Seen.unreadable(meta, KIND, malformed);
        }
    }

    private void clear() {
        meta.clear();
        allocatable.clear();
        taints.clear();
        images.clear();
        features.clear();
        unschedulable = false;
        notReadySince = Optional.empty();
    }

    private Node node() {
        return new Node(
                new NodeUid(meta.uid()),
                meta.name(),
                meta.labels(),
                meta.annotations(),
                Resources.ofQuantities(allocatable),
                unschedulable,
                taints,
                images,
                notReadySince,
                features,
                Instant.ofEpochMilli(meta.createdMillis()));
    }

    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 4 -> unschedulable = in.flag();
                case 5 -> taints.add(Taints.taint(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            switch (field) {
                case 2 -> quantities.read(in, allocatable);
                case 4 -> condition(in);
                case 14 -> features.add(in.text());
                case 8 -> images.add(sharedImages.share(image(in)));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void condition(Cursor in) {
        String type = "";
        String status = "";
        long since = 0;
        in.enter();
        for (int field = in.next(CONDITION); field != 0; field = in.next(CONDITION)) {
            switch (field) {
                case 1 -> type = in.text();
                case 2 -> status = in.text();
                case 4 -> since = in.millis();
                default -> in.skip();
            }
        }
        in.leave();
        if (type.equals("Ready") && !status.equals("True")) {
            notReadySince = Optional.of(Instant.ofEpochMilli(since));
        }
    }

    private static Image image(Cursor in) {
        List<String> names = new ArrayList<>(2);
        long bytes = 0;
        in.enter();
        for (int field = in.next(IMAGE); field != 0; field = in.next(IMAGE)) {
            switch (field) {
                case 1 -> names.add(in.text());
                case 2 -> bytes = in.number();
                default -> in.skip();
            }
        }
        in.leave();
        return new Image(names, bytes);
    }
}
