package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Labels;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.sharing.LabelPool;
import dev.berth.kubernetes.sharing.Pool;
import java.util.Optional;
import java.util.function.Predicate;

/** What every object says of itself; read anew for each object. */
public final class Meta {
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

    /** In seconds, some thirty years: what is longer cannot be told from it, and cannot overflow. */
    private static final long LONGEST_GRACE = 1_000_000_000;

    private final Predicate<String> annotationsWanted;
    private final LabelPool labelPool = new LabelPool();
    private final LabelPool annotationPool = new LabelPool();
    private final Pool<ControllerRef> controllers = new Pool<>(1 << 12);
    private String name = "";
    private String namespace = "";
    private String uid = "";
    private String version = "";
    private long generation;
    private long createdMillis;
    private boolean terminating;
    private long deletionMillis;
    private long graceSeconds;
    private Labels labels = Labels.NONE;
    private Labels annotations = Labels.NONE;
    private Optional<ControllerRef> controller = Optional.empty();

    public Meta(Predicate<String> annotationsWanted) {
        this.annotationsWanted = annotationsWanted;
    }

    public void clear() {
        name = "";
        namespace = "";
        uid = "";
        version = "";
        generation = 0;
        createdMillis = 0;
        terminating = false;
        deletionMillis = 0;
        graceSeconds = 0;
        labels = Labels.NONE;
        annotations = Labels.NONE;
        controller = Optional.empty();
    }

    public void read(Cursor in) {
        labelPool.begin();
        annotationPool.begin();
        in.enter();
        for (int field = in.next(FIELDS); field != 0; field = in.next(FIELDS)) {
            switch (field) {
                case 1 -> name = in.ownText();
                case 3 -> namespace = in.text();
                case 5 -> uid = in.ownText();
                case 6 -> version = in.ownText();
                case 7 -> generation = in.number();
                case 8 -> createdMillis = in.millis();
                case 9 -> {
                    deletionMillis = in.millis();
                    terminating = true;
                }
                case 10 -> graceSeconds = in.number();
                case 11 -> labelPool.add(in.key(), in.valueText());
                case 12 -> annotation(in);
                case 13 -> owner(in);
                default -> in.skip();
            }
        }
        in.leave();
        labels = labelPool.end();
        annotations = annotationPool.end();
    }

    /** Most annotations are nobody's business here, and some are long: their values are not even decoded. */
    private void annotation(Cursor in) {
        String key = in.key();
        if (annotationsWanted.test(key)) {
            annotationPool.add(key, in.valueText());
        }
    }

    private void owner(Cursor in) {
        String kind = "";
        String ownerName = "";
        String ownerUid = "";
        String apiVersion = "";
        boolean controls = false;
        in.enter();
        for (int field = in.next(OWNER); field != 0; field = in.next(OWNER)) {
            switch (field) {
                case 1 -> kind = in.text();
                case 3 -> ownerName = in.text();
                case 4 -> ownerUid = in.text();
                case 5 -> apiVersion = in.text();
                case 6 -> controls = in.flag();
                default -> in.skip();
            }
        }
        in.leave();
        if (controls) {
            controller = Optional.of(controllers.share(new ControllerRef(apiVersion, kind, ownerName, ownerUid)));
        }
    }

    public String label(String kind) {
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

    public String version() {
        return version;
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

    /** By when the object should be gone; of interest only where {@link #terminating}. */
    public long deletionMillis() {
        return deletionMillis;
    }

    /** When its deletion was requested; of interest only where {@link #terminating}. */
    public long deletionRequestedMillis() {
        return deletionMillis - 1_000 * Math.min(graceSeconds, LONGEST_GRACE);
    }

    public Labels labels() {
        return labels;
    }

    public Labels annotations() {
        return annotations;
    }

    public Optional<ControllerRef> controller() {
        return controller;
    }
}
