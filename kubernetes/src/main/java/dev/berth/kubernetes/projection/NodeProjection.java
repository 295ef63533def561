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
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.Interner;
import dev.berth.kubernetes.interning.QuantityCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads nodes. Images that many nodes have are shared. */
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

    private final QuantityCache quantityCache = new QuantityCache();
    private final Interner<Image> imageInterner = new Interner<>(1 << 14);
    private final ObjectMeta meta;
    private final Map<ResourceName, Quantity> allocatable = new HashMap<>();
    private final List<Taint> taints = new ArrayList<>();
    private final List<Image> images = new ArrayList<>();
    private final List<String> declaredFeatures = new ArrayList<>(0);
    private boolean unschedulable;
    private Optional<Instant> notReadySince = Optional.empty();

    /** @param annotationFilter selects the annotations to read */
    public NodeProjection(Predicate<String> annotationFilter) {
        this.meta = new ObjectMeta(annotationFilter);
    }

    @Override
    public ReadResult<Node> read(Cursor in) {
        clear();
        try {
            for (int field = in.nextField(NODE); field != 0; field = in.nextField(NODE)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> readSpec(in);
                    case 3 -> readStatus(in);
                    default -> in.skip();
                }
            }
            return ReadResult.readable(meta, toNode());
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            return ReadResult.unreadable(meta, KIND, malformed);
        }
    }

    private void clear() {
        meta.clear();
        allocatable.clear();
        taints.clear();
        images.clear();
        declaredFeatures.clear();
        unschedulable = false;
        notReadySince = Optional.empty();
    }

    private Node toNode() {
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
                declaredFeatures,
                Instant.ofEpochMilli(meta.createdMillis()));
    }

    private void readSpec(Cursor in) {
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 4 -> unschedulable = in.flag();
                case 5 -> taints.add(TaintReader.readTaint(in));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readStatus(Cursor in) {
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 2 -> quantityCache.readEntry(in, allocatable);
                case 4 -> readCondition(in);
                case 14 -> declaredFeatures.add(in.text());
                case 8 -> images.add(imageInterner.intern(readImage(in)));
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void readCondition(Cursor in) {
        String type = "";
        String status = "";
        long since = 0;
        in.enter();
        for (int field = in.nextField(CONDITION); field != 0; field = in.nextField(CONDITION)) {
            switch (field) {
                case 1 -> type = in.text();
                case 2 -> status = in.text();
                case 4 -> since = in.epochMillis();
                default -> in.skip();
            }
        }
        in.leave();
        if (type.equals("Ready") && !status.equals("True")) {
            notReadySince = Optional.of(Instant.ofEpochMilli(since));
        }
    }

    private static Image readImage(Cursor in) {
        List<String> names = new ArrayList<>(2);
        long bytes = 0;
        in.enter();
        for (int field = in.nextField(IMAGE); field != 0; field = in.nextField(IMAGE)) {
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
