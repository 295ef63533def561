package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The objects of the checkpoint as an API server has them: each change increments the generation. */
public final class FakeCheckpointServer {
    private final Map<String, CheckpointObject> objects = new TreeMap<>();
    private final List<Fact> echoes = new ArrayList<>();
    private final Set<PodUid> everWritten = new TreeSet<>();
    private boolean denying;
    private int conflicts;
    private int notFound;
    private int uids;
    private int writes;

    /** Denies every write from now on, or none. */
    public void deny(boolean value) {
        denying = value;
    }

    /** Answers this number of writes with a conflict, without a newer version. */
    void answerConflict(int count) {
        conflicts = count;
    }

    /** Answers this number of writes with NOT_FOUND although the object exists. */
    void answerNotFound(int count) {
        notFound = count;
    }

    public List<CheckpointObject> objects() {
        return List.copyOf(objects.values());
    }

    Set<PodUid> pods() {
        Set<PodUid> pods = new TreeSet<>();
        objects.values().forEach(object -> pods.addAll(object.pods().keySet()));
        return pods;
    }

    /** The pods that get a Reservation on deletion, by their entries. */
    Set<PodUid> podsReservedOnDeletion() {
        Set<PodUid> pods = new TreeSet<>();
        objects.values().stream()
                .flatMap(object -> object.pods().values().stream())
                .filter(CheckpointedPod::reservesOnDeletion)
                .forEach(pod -> pods.add(pod.uid()));
        return pods;
    }

    /** All pods that were ever in the checkpoint. */
    Set<PodUid> everWritten() {
        return everWritten;
    }

    int writes() {
        return writes;
    }

    /** A user deletes all objects. */
    void clear() {
        objects.values().forEach(object -> echoes.add(new GodelFact.CheckpointDeleted(object.uid())));
        objects.clear();
    }

    public List<Fact> takeEchoes() {
        List<Fact> taken = List.copyOf(echoes);
        echoes.clear();
        return taken;
    }

    public WriteResult write(CheckpointWrite write) {
        writes++;
        CheckpointObject there = objects.get(write.name());
        if (denying) {
            return new WriteResult(WriteResult.ResultKind.DENIED, "no right to checkpoints");
        }
        if (conflicts > 0) {
            conflicts--;
            return new WriteResult(WriteResult.ResultKind.CONFLICT, "it has been modified");
        }
        if (notFound > 0) {
            notFound--;
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "not found");
        }
        if (write instanceof CheckpointWrite.CreateCheckpoint createCheckpoint) {
            if (there != null) {
                return new WriteResult(WriteResult.ResultKind.CONFLICT, "already exists");
            }
            return show(new CheckpointObject(createCheckpoint.name(), "c" + ++uids, 1, createCheckpoint.pods()));
        }
        if (there == null) {
            return new WriteResult(WriteResult.ResultKind.NOT_FOUND, "no such checkpoint");
        }
        if (write instanceof CheckpointWrite.PatchCheckpoint patchCheckpoint) {
            Map<PodUid, CheckpointedPod> pods = new TreeMap<>(there.pods());
            pods.keySet().removeAll(patchCheckpoint.removed());
            pods.putAll(patchCheckpoint.upserts());
            return show(new CheckpointObject(there.name(), there.uid(), there.generation() + 1, pods));
        }
        objects.remove(there.name());
        echoes.add(new GodelFact.CheckpointDeleted(there.uid()));
        return WriteResult.WRITTEN;
    }

    private WriteResult show(CheckpointObject object) {
        objects.put(object.name(), object);
        everWritten.addAll(object.pods().keySet());
        echoes.add(new GodelFact.CheckpointUpserted(object));
        return WriteResult.WRITTEN;
    }
}
