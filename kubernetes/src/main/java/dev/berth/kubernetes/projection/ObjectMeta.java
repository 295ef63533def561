package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Labels;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.Interner;
import dev.berth.kubernetes.interning.LabelsInterner;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Reads the metadata of an object; reused for each object. */
public final class ObjectMeta {
    private static final FieldNames FIELDS = FieldNames.none()
            .with(1, "name")
            .with(3, "namespace")
            .with(5, "uid")
            .with(6, "resourceVersion")
            .with(7, "generation")
            .with(8, "creationTimestamp")
            .with(9, "deletionTimestamp")
            .with(10, "deletionGracePeriodSeconds")
            .withMap(11, "labels")
            .withMap(12, "annotations")
            .with(13, "ownerReferences");
    private static final FieldNames OWNER = FieldNames.none()
            .with(1, "kind")
            .with(3, "name")
            .with(4, "uid")
            .with(5, "apiVersion")
            .with(6, "controller");

    /** In seconds, about thirty years: longer periods are truncated to this, so that they cannot overflow. */
    private static final long MAX_GRACE_SECONDS = 1_000_000_000;

    /** Each search for the holds of a pod reads all its owners, so that their number must be bounded. */
    private static final int MAX_OTHER_OWNERS = 32;

    private final Predicate<String> annotationFilter;
    private final LabelsInterner labelsInterner = new LabelsInterner();
    private final LabelsInterner annotationPool = new LabelsInterner();
    private final Interner<ControllerRef> controllers = new Interner<>(1 << 12);
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String resourceVersion = "";
    private long generation;
    private long createdMillis;
    private boolean terminating;
    private long deletionMillis;
    private long graceSeconds;
    private Labels labels = Labels.NONE;
    private Labels annotations = Labels.NONE;
    private Optional<ControllerRef> controller = Optional.empty();
    private List<ControllerRef> otherOwners = List.of();

    public ObjectMeta(Predicate<String> annotationsWanted) {
        this.annotationFilter = annotationsWanted;
    }

    public void clear() {
        name = "";
        namespace = "";
        uid = "";
        resourceVersion = "";
        generation = 0;
        createdMillis = 0;
        terminating = false;
        deletionMillis = 0;
        graceSeconds = 0;
        labels = Labels.NONE;
        annotations = Labels.NONE;
        controller = Optional.empty();
        otherOwners = List.of();
    }

    public void read(Cursor in) {
        labelsInterner.begin();
        annotationPool.begin();
        in.enter();
        for (int field = in.nextField(FIELDS); field != 0; field = in.nextField(FIELDS)) {
            switch (field) {
                case 1 -> name = in.uninternedText();
                case 3 -> namespace = in.text();
                case 5 -> uid = in.uninternedText();
                case 6 -> resourceVersion = in.uninternedText();
                case 7 -> generation = in.number();
                case 8 -> createdMillis = in.epochMillis();
                case 9 -> {
                    deletionMillis = in.epochMillis();
                    terminating = true;
                }
                case 10 -> graceSeconds = in.number();
                case 11 -> labelsInterner.add(in.mapKey(), in.mapValueText());
                case 12 -> readAnnotation(in);
                case 13 -> readOwnerReference(in);
                default -> in.skip();
            }
        }
        in.leave();
        labels = labelsInterner.intern();
        annotations = annotationPool.intern();
    }

    /** Most annotations are not used here, and some are long: their values are not decoded. */
    private void readAnnotation(Cursor in) {
        String key = in.mapKey();
        if (annotationFilter.test(key)) {
            annotationPool.add(key, in.mapValueText());
        }
    }

    private void readOwnerReference(Cursor in) {
        String kind = "";
        String ownerName = "";
        String ownerUid = "";
        String apiVersion = "";
        boolean isController = false;
        in.enter();
        for (int field = in.nextField(OWNER); field != 0; field = in.nextField(OWNER)) {
            switch (field) {
                case 1 -> kind = in.text();
                case 3 -> ownerName = in.text();
                case 4 -> ownerUid = in.text();
                case 5 -> apiVersion = in.text();
                case 6 -> isController = in.flag();
                default -> in.skip();
            }
        }
        in.leave();
        ControllerRef owner = controllers.intern(new ControllerRef(apiVersion, kind, ownerName, ownerUid));
        if (isController) {
            controller = Optional.of(owner);
        } else if (otherOwners.size() < MAX_OTHER_OWNERS) {
            otherOwners = Stream.concat(otherOwners.stream(), Stream.of(owner)).toList();
        }
    }

    public String describe(String kind) {
        return "%s (%s)".formatted(kind, namespace.isEmpty() ? name : namespace + "/" + name);
    }

    public String name() {
        return name;
    }

    public String namespace() {
        return namespace;
    }

    public String uid() {
        return uid;
    }

    public String resourceVersion() {
        return resourceVersion;
    }

    public long generation() {
        return generation;
    }

    public long createdMillis() {
        return createdMillis;
    }

    public boolean terminating() {
        return terminating;
    }

    /** When the object should be deleted; only if it is {@link #terminating}. */
    public long deletionMillis() {
        return deletionMillis;
    }

    /** When its deletion was requested; only if it is {@link #terminating}. */
    public long deletionRequestedMillis() {
        return deletionMillis - 1_000 * Math.min(graceSeconds, MAX_GRACE_SECONDS);
    }

    public Labels labels() {
        return labels;
    }

    public Labels annotations() {
        return annotations;
    }

    /** The first owner references that do not control the object. */
    public List<ControllerRef> otherOwners() {
        return otherOwners;
    }

    public Optional<ControllerRef> controller() {
        return controller;
    }
}
