package dev.berth.sandbox.endpoints.handlers.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.registry.KindRegistry;
import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The steps of a deletion: an update first, if needed, and whether the object is removed at once. Pods on nodes
 * have a grace period; objects with finalizers wait for them.
 */
record DeletionPlan(Optional<ObjectNode> updatedObject, boolean deletesImmediately, boolean alreadyTerminating) {

    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final GroupResource PODS = new GroupResource("", "pods");
    // Kinds that the garbage collector ignores: their finalizers would never be removed.
    private static final Set<GroupResource> WITHOUT_DEPENDENTS = Set.of(new GroupResource("", "events"));
    private static final Set<GroupResource> ORPHANED_BY_DEFAULT =
            Set.of(new GroupResource("", "replicationcontrollers"), new GroupResource("batch", "jobs"));

    static DeletionPlan of(ServedKind kind, ObjectNode before, DeletionOptions options, Instant now) {
        return kind.storage().equals(PODS)
                ? withGracePeriod(kind, before, options, now)
                : withoutGracePeriod(kind, before, options, now);
    }

    /** The finalizers of the object under these options. */
    static List<String> finalizers(ServedKind kind, ObjectNode before, DeletionOptions options) {
        List<String> present = ObjectMetaReader.finalizers(before);
        if (WITHOUT_DEPENDENTS.contains(kind.storage())) {
            return present;
        }
        List<String> next = new ArrayList<>(present);
        next.removeAll(List.of(ORPHAN, FOREGROUND));
        if (shouldOrphanDependents(kind, present, options)) {
            next.add(ORPHAN);
        } else if (shouldDeleteDependentsFirst(present, options)) {
            next.add(FOREGROUND);
        }
        if (kind.storage().equals(KindRegistry.CUSTOM_RESOURCE_DEFINITIONS)
                && !next.contains(DeleteHandler.CLEANUP_FINALIZER)) {
            next.add(DeleteHandler.CLEANUP_FINALIZER);
        }
        return Set.copyOf(next).equals(Set.copyOf(present)) ? present : next;
    }

    private static DeletionPlan withoutGracePeriod(
            ServedKind kind, ObjectNode before, DeletionOptions options, Instant now) {
        List<String> finalizers = finalizers(kind, before, options);
        if (finalizers.isEmpty()) {
            return new DeletionPlan(Optional.empty(), true, false);
        }
        ObjectNode mutable = markTerminating(before, now, 0);
        ObjectMetaEditor.setFinalizers(mutable, finalizers);
        // A second deletion of a waiting object has no effect.
        return new DeletionPlan(
                mutable.equals(before) ? Optional.empty() : Optional.of(mutable), false, mutable.equals(before));
    }

    private static DeletionPlan withGracePeriod(
            ServedKind kind, ObjectNode before, DeletionOptions options, Instant now) {
        boolean leaving = ObjectMetaReader.deletionTimestamp(before).isPresent();
        long left = ObjectMetaReader.deletionGracePeriodSeconds(before).orElse(0);
        if (leaving && left == 0) {
            return withoutGracePeriod(kind, before, options, now);
        }
        OptionalLong requestedSeconds = options.gracePeriodSeconds();
        if (leaving && (requestedSeconds.isEmpty() || requestedSeconds.getAsLong() >= left)) {
            return new DeletionPlan(Optional.empty(), false, true);
        }
        ObjectNode mutable = leaving
                ? shortenGracePeriod(before, requestedSeconds.getAsLong(), now)
                : startGracePeriod(before, requestedSeconds, now);
        List<String> finalizers = finalizers(kind, before, options);
        ObjectMetaEditor.setFinalizers(mutable, finalizers);
        boolean goesNow = finalizers.isEmpty()
                && ObjectMetaReader.deletionGracePeriodSeconds(mutable).orElse(0) == 0;
        return new DeletionPlan(Optional.of(mutable), goesNow, false);
    }

    /** The first deletion of a pod. */
    private static ObjectNode startGracePeriod(ObjectNode before, OptionalLong requestedSeconds, Instant now) {
        long seconds = requestedSeconds.orElse(NestedFields.number(before, "spec", "terminationGracePeriodSeconds"));
        String phase = NestedFields.text(before, "status", "phase");
        boolean finished = phase.equals("Succeeded") || phase.equals("Failed");
        if (finished || NestedFields.text(before, "spec", "nodeName").isEmpty()) {
            seconds = 0;
        }
        return markTerminating(before, now, Math.max(0, seconds));
    }

    /** A repeated deletion of a pod with a shorter grace period. */
    private static ObjectNode shortenGracePeriod(ObjectNode before, long seconds, Instant now) {
        Instant old = ObjectMetaReader.deletionTimestamp(before).orElseThrow();
        Instant next = old.minusSeconds(
                        ObjectMetaReader.deletionGracePeriodSeconds(before).orElse(0))
                .plusSeconds(seconds);
        boolean past = next.isBefore(now);
        long period = past && seconds != 0 ? 1 : seconds;
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(before);
        ObjectMetaEditor.mutableMetadata(mutable)
                .put("deletionTimestamp", TimestampFormat.formatTime(past ? now : next));
        NestedFields.putNumber(ObjectMetaEditor.mutableMetadata(mutable), "deletionGracePeriodSeconds", period);
        return mutable;
    }

    private static ObjectNode markTerminating(ObjectNode before, Instant now, long graceSeconds) {
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(before);
        ObjectNode metadata = ObjectMetaEditor.mutableMetadata(mutable);
        Optional<Instant> old = ObjectMetaReader.deletionTimestamp(before);
        if (old.isEmpty() && ObjectMetaReader.generation(before) > 0) {
            NestedFields.putNumber(metadata, "generation", ObjectMetaReader.generation(before) + 1);
        }
        if (old.isEmpty() || old.get().isAfter(now)) {
            metadata.put("deletionTimestamp", TimestampFormat.formatTime(now.plusSeconds(graceSeconds)));
        }
        NestedFields.putNumber(metadata, "deletionGracePeriodSeconds", graceSeconds);
        return mutable;
    }

    private static boolean shouldOrphanDependents(ServedKind kind, List<String> present, DeletionOptions options) {
        if (options.orphanDependents().isPresent()) {
            return options.orphanDependents().get();
        }
        if (options.propagationPolicy().isPresent()) {
            return options.propagationPolicy().get().equals("Orphan");
        }
        if (present.contains(ORPHAN) || present.contains(FOREGROUND)) {
            return present.contains(ORPHAN);
        }
        return ORPHANED_BY_DEFAULT.contains(kind.storage());
    }

    private static boolean shouldDeleteDependentsFirst(List<String> present, DeletionOptions options) {
        if (options.orphanDependents().isPresent()) {
            return false;
        }
        return options.propagationPolicy().map("Foreground"::equals).orElseGet(() -> present.contains(FOREGROUND));
    }
}
