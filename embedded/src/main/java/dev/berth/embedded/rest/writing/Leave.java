package dev.berth.embedded.rest.writing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.kind.ServedKind;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.tree.Trees;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * How an object leaves: what is to be written first, if anything, and whether it goes at once after that. Pods on nodes
 * are given their grace; whatever has finalizers waits for them.
 */
record Leave(Optional<ObjectNode> marked, boolean goesNow, boolean alreadyUnderWay) {

    private static final String ORPHAN = "orphan";
    private static final String FOREGROUND = "foregroundDeletion";
    private static final ResourceId PODS = new ResourceId("", "pods");
    // Kinds nobody collects garbage for: no finalizer would ever be taken away.
    private static final Set<ResourceId> WITHOUT_DEPENDENTS = Set.of(new ResourceId("", "events"));
    private static final Set<ResourceId> ORPHANED_BY_DEFAULT =
            Set.of(new ResourceId("", "replicationcontrollers"), new ResourceId("batch", "jobs"));

    static Leave of(ServedKind kind, ObjectNode before, DeleteOptions options, Instant now) {
        return kind.storage().equals(PODS) ? graceful(kind, before, options, now) : plain(kind, before, options, now);
    }

    /** The finalizers the object must have once it leaves under these options. */
    static List<String> finalizers(ServedKind kind, ObjectNode before, DeleteOptions options) {
        List<String> present = Meta.finalizers(before);
        if (WITHOUT_DEPENDENTS.contains(kind.storage())) {
            return present;
        }
        List<String> next = new ArrayList<>(present);
        next.removeAll(List.of(ORPHAN, FOREGROUND));
        if (orphans(kind, present, options)) {
            next.add(ORPHAN);
        } else if (deletesInForeground(present, options)) {
            next.add(FOREGROUND);
        }
        if (kind.storage().equals(Kinds.DEFINITIONS) && !next.contains(Deletion.CLEANUP_FINALIZER)) {
            next.add(Deletion.CLEANUP_FINALIZER);
        }
        return Set.copyOf(next).equals(Set.copyOf(present)) ? present : next;
    }

    private static Leave plain(ServedKind kind, ObjectNode before, DeleteOptions options, Instant now) {
        List<String> finalizers = finalizers(kind, before, options);
        if (finalizers.isEmpty()) {
            return new Leave(Optional.empty(), true, false);
        }
        ObjectNode own = marked(before, now, 0);
        Meta.setFinalizers(own, finalizers);
        // A second deletion of an object that only waits changes nothing.
        return new Leave(own.equals(before) ? Optional.empty() : Optional.of(own), false, own.equals(before));
    }

    private static Leave graceful(ServedKind kind, ObjectNode before, DeleteOptions options, Instant now) {
        boolean leaving = Meta.deletionTimestamp(before).isPresent();
        long left = Meta.deletionGracePeriodSeconds(before).orElse(0);
        if (leaving && left == 0) {
            return plain(kind, before, options, now);
        }
        OptionalLong asked = options.graceSeconds();
        if (leaving && (asked.isEmpty() || asked.getAsLong() >= left)) {
            return new Leave(Optional.empty(), false, true);
        }
        ObjectNode own = leaving ? hastened(before, asked.getAsLong(), now) : given(before, asked, now);
        List<String> finalizers = finalizers(kind, before, options);
        Meta.setFinalizers(own, finalizers);
        boolean goesNow =
                finalizers.isEmpty() && Meta.deletionGracePeriodSeconds(own).orElse(0) == 0;
        return new Leave(Optional.of(own), goesNow, false);
    }

    /** A pod asked to go for the first time. */
    private static ObjectNode given(ObjectNode before, OptionalLong asked, Instant now) {
        long seconds = asked.orElse(Trees.number(before, "spec", "terminationGracePeriodSeconds"));
        String phase = Trees.text(before, "status", "phase");
        boolean finished = phase.equals("Succeeded") || phase.equals("Failed");
        if (finished || Trees.text(before, "spec", "nodeName").isEmpty()) {
            seconds = 0;
        }
        return marked(before, now, Math.max(0, seconds));
    }

    /** A pod that was already leaving and is now to leave sooner. */
    private static ObjectNode hastened(ObjectNode before, long seconds, Instant now) {
        Instant old = Meta.deletionTimestamp(before).orElseThrow();
        Instant next = old.minusSeconds(Meta.deletionGracePeriodSeconds(before).orElse(0))
                .plusSeconds(seconds);
        boolean past = next.isBefore(now);
        long period = past && seconds != 0 ? 1 : seconds;
        ObjectNode own = Meta.shallowCopy(before);
        Meta.of(own).put("deletionTimestamp", Meta.time(past ? now : next));
        Trees.putNumber(Meta.of(own), "deletionGracePeriodSeconds", period);
        return own;
    }

    private static ObjectNode marked(ObjectNode before, Instant now, long graceSeconds) {
        ObjectNode own = Meta.shallowCopy(before);
        ObjectNode metadata = Meta.of(own);
        Optional<Instant> old = Meta.deletionTimestamp(before);
        if (old.isEmpty() && Meta.generation(before) > 0) {
            Trees.putNumber(metadata, "generation", Meta.generation(before) + 1);
        }
        if (old.isEmpty() || old.get().isAfter(now)) {
            metadata.put("deletionTimestamp", Meta.time(now.plusSeconds(graceSeconds)));
        }
        Trees.putNumber(metadata, "deletionGracePeriodSeconds", graceSeconds);
        return own;
    }

    private static boolean orphans(ServedKind kind, List<String> present, DeleteOptions options) {
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

    private static boolean deletesInForeground(List<String> present, DeleteOptions options) {
        if (options.orphanDependents().isPresent()) {
            return false;
        }
        return options.propagationPolicy().map("Foreground"::equals).orElseGet(() -> present.contains(FOREGROUND));
    }
}
