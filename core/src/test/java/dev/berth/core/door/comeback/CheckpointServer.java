package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The objects of the checkpoint as an API server has them: each change of one makes its generation greater. */
public final class CheckpointServer {
    private final Map<String, CheckpointObject> objects = new TreeMap<>();
    private final List<Fact> echoes = new ArrayList<>();
    private final Set<PodUid> ever = new TreeSet<>();
    private boolean denying;
    private int conflicts;
    private int missing;
    private int uids;
    private int writes;

    /** From now on every write is denied, or none. */
    public void deny(boolean value) {
        denying = value;
    }

    /** So many writes meet a conflict, and nothing shows with whom. */
    void conflicts(int count) {
        conflicts = count;
    }

    /** So many writes are answered by that there is no such object, although there is. */
    void miss(int count) {
        missing = count;
    }

    public List<CheckpointObject> objects() {
        return List.copyOf(objects.values());
    }

    Set<PodUid> pods() {
        Set<PodUid> pods = new TreeSet<>();
        objects.values().forEach(object -> pods.addAll(object.pods().keySet()));
        return pods;
    }

    /** Those that leave a place, as it says. */
    Set<PodUid> leavingPlaces() {
        Set<PodUid> pods = new TreeSet<>();
        objects.values().stream()
                .flatMap(object -> object.pods().values().stream())
                .filter(CheckpointedPod::leavesPlace)
                .forEach(pod -> pods.add(pod.uid()));
        return pods;
    }

    /** All pods that were in it at some time. */
    Set<PodUid> everWritten() {
        return ever;
    }

    int writes() {
        return writes;
    }

    /** Somebody deletes all of them. */
    void clear() {
        objects.values().forEach(object -> echoes.add(new ComebackFact.CheckpointGone(object.uid())));
        objects.clear();
    }

    public List<Fact> takeEchoes() {
        List<Fact> taken = List.copyOf(echoes);
        echoes.clear();
        return taken;
    }

    public Outcome write(CheckpointWrite write) {
        writes++;
        CheckpointObject there = objects.get(write.name());
        if (denying) {
            return new Outcome(Outcome.Kind.DENIED, "no right to checkpoints");
        }
        if (conflicts > 0) {
            conflicts--;
            return new Outcome(Outcome.Kind.CONFLICT, "it has been modified");
        }
        if (missing > 0) {
            missing--;
            return new Outcome(Outcome.Kind.GONE, "not found");
        }
        if (write instanceof CheckpointWrite.Create create) {
            if (there != null) {
                return new Outcome(Outcome.Kind.CONFLICT, "already exists");
            }
            return show(new CheckpointObject(create.name(), "c" + ++uids, 1, create.pods()));
        }
        if (there == null) {
            return new Outcome(Outcome.Kind.GONE, "no such checkpoint");
        }
        if (write instanceof CheckpointWrite.Change change) {
            Map<PodUid, CheckpointedPod> pods = new TreeMap<>(there.pods());
            pods.keySet().removeAll(change.removed());
            pods.putAll(change.put());
            return show(new CheckpointObject(there.name(), there.uid(), there.generation() + 1, pods));
        }
        objects.remove(there.name());
        echoes.add(new ComebackFact.CheckpointGone(there.uid()));
        return Outcome.WRITTEN;
    }

    private Outcome show(CheckpointObject object) {
        objects.put(object.name(), object);
        ever.addAll(object.pods().keySet());
        echoes.add(new ComebackFact.CheckpointSeen(object));
        return Outcome.WRITTEN;
    }
}
