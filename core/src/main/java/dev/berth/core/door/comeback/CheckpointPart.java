package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Outcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One object of the checkpoint: what it should contain, and what the API server has. */
final class CheckpointPart {
    private static final String PREFIX = "return-";

    private final int index;
    private final Map<PodUid, CheckpointedPod> wanted = new HashMap<>();
    private final Map<PodUid, CheckpointedPod> written = new HashMap<>();
    private int wantedBytes;
    /** The wanted pods that are gone and whose places Reservations keep, the oldest first. */
    private final Set<PodUid> proofs = new LinkedHashSet<>();

    private int proofBytes;
    private String uid = "";
    private boolean exists;
    private long generation;
    /** When the write on its way was sent. */
    private long generationBefore;

    CheckpointPart(int index) {
        this.index = index;
    }

    /** The index in the name of an object, where the object is a part of the checkpoint. */
    static Optional<Integer> indexOf(String name) {
        if (!name.matches(PREFIX + "[0-9]{1,6}")) {
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(name.substring(PREFIX.length())));
    }

    int index() {
        return index;
    }

    String name() {
        return PREFIX + index;
    }

    String uid() {
        return uid;
    }

    /** What the API server is known to have. */
    Map<PodUid, CheckpointedPod> written() {
        return written;
    }

    Optional<CheckpointedPod> wanted(PodUid pod) {
        return Optional.ofNullable(wanted.get(pod));
    }

    boolean wants(CheckpointedPod pod) {
        return pod.equals(wanted.get(pod.uid()));
    }

    boolean hasRoom(CheckpointLimits limits) {
        return wanted.size() < limits.objectPods() && wantedBytes + limits.podBytes() <= limits.objectBytes();
    }

    /** Whether it has room for a pod once the proofs in it are given up. */
    boolean hasRoomWithoutProofs(CheckpointLimits limits) {
        return wanted.size() - proofs.size() < limits.objectPods()
                && wantedBytes - proofBytes + limits.podBytes() <= limits.objectBytes();
    }

    List<PodUid> proofs() {
        return List.copyOf(proofs);
    }

    void want(CheckpointedPod pod) {
        drop(pod.uid());
        wanted.put(pod.uid(), pod);
        wantedBytes += pod.bytes();
        if (!pod.reservation().isEmpty()) {
            proofs.add(pod.uid());
            proofBytes += pod.bytes();
        }
    }

    void drop(PodUid pod) {
        @Nullable CheckpointedPod before = wanted.remove(pod);
        if (before != null) {
            wantedBytes -= before.bytes();
            proofBytes -= proofs.remove(pod) ? before.bytes() : 0;
        }
    }

    /** Takes over what the API server shows, unless it is older than the latest write that was answered. */
    boolean seen(CheckpointObject object) {
        boolean other = !exists || (!uid.isEmpty() && !uid.equals(object.uid()));
        boolean news = other || object.generation() > generation;
        uid = object.uid();
        exists = true;
        if (news) {
            generation = object.generation();
            written.clear();
            written.putAll(object.pods());
        }
        return news;
    }

    void gone() {
        uid = "";
        exists = false;
        generation = 0;
        written.clear();
    }

    /** The write that brings the object to what it should be; empty when it is. */
    Optional<CheckpointWrite> next() {
        if ((!exists && wanted.isEmpty()) || (exists && written.equals(wanted) && !wanted.isEmpty())) {
            return Optional.empty();
        }
        if (wanted.isEmpty()) {
            return Optional.of(new CheckpointWrite.Delete(name()));
        }
        return Optional.of(exists ? change() : new CheckpointWrite.Create(name(), wanted));
    }

    private CheckpointWrite change() {
        Map<PodUid, CheckpointedPod> put = new HashMap<>(wanted);
        put.entrySet().removeIf(entry -> entry.getValue().equals(written.get(entry.getKey())));
        Set<PodUid> removed = new HashSet<>(written.keySet());
        removed.removeAll(wanted.keySet());
        return new CheckpointWrite.Change(name(), put, removed);
    }

    void sent() {
        generationBefore = generation;
    }

    /**
     * Takes over what the answer says. An answer that there is no such object is not believed while the watch shows the
     * object: if it is gone, the watch tells that, and if not, the write is tried again.
     */
    void answered(CheckpointWrite write, Outcome.Kind outcome) {
        if ((outcome == Outcome.Kind.GONE && uid.isEmpty())
                || (outcome == Outcome.Kind.WRITTEN && write instanceof CheckpointWrite.Delete)) {
            gone();
        } else if (outcome == Outcome.Kind.WRITTEN && write instanceof CheckpointWrite.Create create) {
            created(create);
        } else if (outcome == Outcome.Kind.WRITTEN && write instanceof CheckpointWrite.Change change) {
            changed(change);
        }
    }

    /** The watch may have shown it before the answer came. */
    private void changed(CheckpointWrite.Change change) {
        if (generation == generationBefore) {
            generation++;
            written.putAll(change.put());
            written.keySet().removeAll(change.removed());
        }
    }

    private void created(CheckpointWrite.Create create) {
        if (!exists) {
            exists = true;
            generation = 1;
            written.clear();
            written.putAll(create.pods());
        }
    }
}
