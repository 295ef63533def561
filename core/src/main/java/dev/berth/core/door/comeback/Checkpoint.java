package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.queue.Wake;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that asked to be returned to, written down in a few objects, so that a leader can tell which of them were
 * deleted while no Berth led, even if the API server has forgotten their deletion. Written in batches; the cost follows
 * what changed, not how many pods there are.
 */
final class Checkpoint implements Source<Integer, CheckpointWrite> {
    private static final String LOST =
            "If the pod is deleted while Berth is down and the API server restarts, its place is lost.";

    private final CheckpointLimits limits;
    private Consumer<CheckpointedPod> removed = pod -> {};
    private final Map<Integer, CheckpointPart> parts = new TreeMap<>();
    /** The part in which each pod should be. */
    private final Map<PodUid, CheckpointPart> homes = new HashMap<>();
    /** The part in which the API server has each pod. */
    private final Map<PodUid, CheckpointPart> written = new HashMap<>();
    /** By the pod that left, what says which Reservation Berth wrote for its place. Gives way to pods that are there. */
    private final Map<PodUid, CheckpointedPod> proofs = new LinkedHashMap<>();
    /** Pods that are in no part for want of room. */
    private final Map<PodUid, CheckpointedPod> waiting = new LinkedHashMap<>();
    /** Pods that are in no part because they are too large. */
    private final TreeSet<PodUid> tooLarge = new TreeSet<>();

    private final TreeSet<Integer> roomy = new TreeSet<>();
    private final Reconciler<Integer, CheckpointWrite> reconciler = new Reconciler<>(this);
    /** When the next batch may be sent. */
    private Instant batch = Instant.MIN;
    /** Something is to be written, after a time in which nothing was. */
    private boolean fresh;

    private boolean listed;
    private boolean toldFull;

    Checkpoint(CheckpointLimits limits) {
        this.limits = limits;
    }

    /** Has the listener told of each pod whose place the checkpoint would no longer bring back. */
    void onRemoved(Consumer<CheckpointedPod> listener) {
        removed = listener;
    }

    /** Everything was listed: from now on the checkpoint is written. */
    void begin() {
        listed = true;
    }

    /** All pods that the API server has in the checkpoint. */
    List<CheckpointedPod> written() {
        return parts.values().stream()
                .flatMap(part -> part.written().values().stream())
                .sorted((one, other) -> one.uid().compareTo(other.uid()))
                .toList();
    }

    /** The pod as the API server has it in the checkpoint. */
    Optional<CheckpointedPod> find(PodUid pod) {
        return Optional.ofNullable(written.get(pod)).map(part -> part.written().get(pod));
    }

    /** The pod that left, with the Reservation that keeps its place. */
    Optional<CheckpointedPod> proof(PodUid pod) {
        return Optional.ofNullable(proofs.get(pod));
    }

    /** Whether a process that starts would keep the pod's place if it found no Reservation of it. */
    boolean has(PodUid pod) {
        return find(pod).filter(CheckpointedPod::leavesPlace).isPresent();
    }

    /** The same, and the API server refuses to have that changed. */
    boolean keeps(PodUid pod) {
        @Nullable CheckpointPart part = written.get(pod);
        return part != null && has(pod) && reconciler.isDenied(part.index());
    }

    void seen(CheckpointObject object) {
        CheckpointPart.indexOf(object.name()).ifPresent(index -> {
            CheckpointPart part = part(index);
            Map<PodUid, CheckpointedPod> before = Map.copyOf(part.written());
            if (part.seen(object)) {
                compare(part, before);
            }
        });
    }

    void gone(String uid) {
        for (CheckpointPart part : parts.values()) {
            if (part.uid().equals(uid)) {
                Map<PodUid, CheckpointedPod> before = Map.copyOf(part.written());
                part.gone();
                compare(part, before);
            }
        }
    }

    private CheckpointPart part(int index) {
        return parts.computeIfAbsent(index, CheckpointPart::new);
    }

    private void compare(CheckpointPart part, Map<PodUid, CheckpointedPod> before) {
        part.written().keySet().forEach(pod -> written.put(pod, part));
        before.forEach((uid, pod) -> {
            boolean isGone = !part.written().containsKey(uid) && written.remove(uid, part);
            if (isGone || (pod.leavesPlace() && !has(uid))) {
                removed.accept(pod);
            }
        });
        touch(part);
    }

    private void touch(CheckpointPart part) {
        fresh |= !reconciler.isTouched();
        reconciler.touch(part.index());
        if (isWithinLimit(part.index()) && part.hasRoom(limits)) {
            roomy.add(part.index());
        } else {
            roomy.remove(part.index());
        }
    }

    /** The pod is to be in the checkpoint. */
    void want(CheckpointedPod pod, Desk desk) {
        if (pod.bytes() > limits.podBytes()) {
            drop(pod.uid());
            if (tooLarge.add(pod.uid())) {
                complain(
                        pod.pod(),
                        "The checkpoint of the pod takes %d bytes, more than %d."
                                .formatted(pod.bytes(), limits.podBytes()),
                        desk);
            }
            return;
        }
        tooLarge.remove(pod.uid());
        Optional<CheckpointPart> home = home(pod.uid());
        if (home.isEmpty()) {
            waiting.put(pod.uid(), pod);
            tellFull(pod, desk);
            return;
        }
        waiting.remove(pod.uid());
        CheckpointPart part = home.get();
        if (!part.wants(pod)) {
            homes.put(pod.uid(), part);
            part.want(pod);
            touch(part);
        }
    }

    /** Where it is wanted; else where the API server has it; else in the first part with room, or in another part. */
    private Optional<CheckpointPart> home(PodUid pod) {
        @Nullable CheckpointPart known = homes.get(pod);
        if (known != null) {
            return Optional.of(known);
        }
        @Nullable CheckpointPart recorded = written.get(pod);
        if (recorded != null && recorded.hasRoom(limits)) {
            return Optional.of(recorded);
        }
        if (roomy.isEmpty() && !isWithinLimit(firstFree())) {
            evictProofs();
        }
        int next = roomy.isEmpty() ? firstFree() : roomy.first();
        return isWithinLimit(next) ? Optional.of(part(next)) : Optional.empty();
    }

    /**
     * Proofs give way to pods that are there, if that makes room for one. The next leader needs a proof, so no proof is
     * given up where the object is still full of other entries then.
     */
    private void evictProofs() {
        parts.values().stream()
                .filter(part -> isWithinLimit(part.index()) && part.hasRoomWithoutProofs(limits))
                .findFirst()
                .ifPresent(part -> {
                    for (PodUid pod : part.proofs()) {
                        if (part.hasRoom(limits)) {
                            return;
                        }
                        disprove(pod);
                    }
                });
    }

    /** There may be objects beyond the limit, of a Berth with another limit or made by hand: they get no more pods. */
    private boolean isWithinLimit(int index) {
        return index < limits.objects();
    }

    private int firstFree() {
        int index = 0;
        while (parts.containsKey(index)) {
            index++;
        }
        return index;
    }

    /** The pod need not be in the checkpoint any more. */
    void drop(PodUid pod) {
        waiting.remove(pod);
        tooLarge.remove(pod);
        @Nullable CheckpointPart part = homes.get(pod);
        @Nullable CheckpointedPod proof = proofs.get(pod);
        if (part != null && proof != null) {
            part.want(proof);
            touch(part);
        } else if (part != null) {
            homes.remove(pod);
            part.drop(pod);
            touch(part);
        }
    }

    /**
     * A Reservation keeps the place of the pod. Tenants can write Reservations but no checkpoint, so the pod stays in the
     * checkpoint: the next leader knows by it that Berth wrote this Reservation, and how much it may keep.
     */
    void prove(PodUid pod, String reservation) {
        @Nullable CheckpointPart home = homes.get(pod);
        @Nullable CheckpointPart part = home == null ? written.get(pod) : home;
        if (part == null) {
            return;
        }
        part.wanted(pod)
                .or(() -> find(pod))
                .map(it -> it.writtenAs(reservation))
                .ifPresent(proof -> {
                    proofs.put(pod, proof);
                    if (home == null) {
                        homes.put(pod, part);
                        part.want(proof);
                        touch(part);
                    }
                });
    }

    /** The Reservation keeps the place no more. */
    void disprove(PodUid pod, String reservation) {
        @Nullable CheckpointedPod proof = proofs.get(pod);
        if (proof != null && proof.reservation().equals(reservation)) {
            disprove(pod);
        }
    }

    private void disprove(PodUid pod) {
        @Nullable CheckpointedPod proof = proofs.remove(pod);
        @Nullable CheckpointPart part = homes.get(pod);
        if (proof != null && part != null && part.wants(proof)) {
            drop(pod);
        }
    }

    private void tellFull(CheckpointedPod pod, Desk desk) {
        if (!toldFull) {
            toldFull = true;
            complain(
                    pod.pod(),
                    "The checkpoint is full: it has %d pods in %d objects.".formatted(homes.size(), parts.size()),
                    desk);
        }
    }

    private static void complain(Pod pod, String why, Desk desk) {
        desk.write(new Effect.Announce(
                Subject.of(Effect.PodRef.of(pod)),
                Effect.Announce.Kind.warning("NotCheckpointed", "Reserving"),
                why + " " + LOST));
    }

    /** Sends the next batch, if it is time. */
    void settle(Desk desk) {
        if (!listed) {
            return;
        }
        fillRoom(desk);
        if (reconciler.due(desk.now()).isEmpty()) {
            return;
        }
        if (fresh && batch.isBefore(desk.now())) {
            batch = desk.now().plus(limits.batch());
        } else if (!desk.now().isBefore(batch)) {
            send(desk);
        }
        fresh = false;
    }

    private void fillRoom(Desk desk) {
        while (!waiting.isEmpty() && !roomy.isEmpty()) {
            want(waiting.values().iterator().next(), desk);
        }
        toldFull &= !waiting.isEmpty();
    }

    private void send(Desk desk) {
        int sent = 0;
        for (int index : reconciler.due(desk.now())) {
            if (sent == limits.writes()) {
                break;
            }
            if (reconciler.reconcile(index, desk).isPresent()) {
                part(index).sent();
                sent++;
            }
        }
        batch = desk.now().plus(limits.batch());
    }

    void written(CheckpointWrite write, Outcome outcome, Desk desk) {
        CheckpointPart.indexOf(write.name()).map(this::part).ifPresent(part -> {
            Map<PodUid, CheckpointedPod> before = Map.copyOf(part.written());
            part.answered(write, outcome.kind());
            reconciler.answered(part.index(), write, meaning(write, outcome), desk);
            compare(part, before);
            seeWhetherItIsDone(part, desk);
        });
    }

    /** The answer to a write of the checkpoint says what the API server has: no echo is awaited. */
    private void seeWhetherItIsDone(CheckpointPart part, Desk desk) {
        if (part.next().isEmpty()) {
            reconciler.reconcile(part.index(), desk);
        }
    }

    /** What nothing can be created of is not installed: nothing but an installation helps, as against a denial. */
    private static Outcome meaning(CheckpointWrite write, Outcome outcome) {
        return outcome.kind() == Outcome.Kind.GONE && write instanceof CheckpointWrite.Create
                ? new Outcome(
                        Outcome.Kind.DENIED,
                        outcome.message() + ". Run \"berth install --crds-only | kubectl apply -f -\"")
                : outcome;
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return Wake.earlier(reconciler.isTouched() ? Optional.of(batch) : Optional.empty(), reconciler.nextWake());
    }

    /** Only the leader writes the checkpoint, so a write needs no precondition. */
    @Override
    public String version(Integer index) {
        return "";
    }

    /** A change is what differs from what the API server has, so that each waits for the answer to the one before. */
    @Override
    public Optional<CheckpointWrite> wanted(Integer index, Desk desk) {
        return reconciler.inFlight(index) ? Optional.empty() : part(index).next();
    }

    @Override
    public Subject subject(CheckpointWrite write) {
        return firstPod(write)
                .map(pod -> Subject.of(Effect.PodRef.of(pod.pod())))
                .orElseGet(() -> CheckpointObject.subject(
                        write.name(),
                        CheckpointPart.indexOf(write.name())
                                .map(index -> part(index).uid())
                                .orElse("")));
    }

    @Override
    public String consequence(CheckpointWrite write) {
        return firstPod(write).isPresent() ? LOST : "Pods that are gone stay in the checkpoint.";
    }

    private static Optional<CheckpointedPod> firstPod(CheckpointWrite write) {
        if (write instanceof CheckpointWrite.Create create) {
            return create.pods().values().stream().findFirst();
        }
        return write instanceof CheckpointWrite.Change change
                ? change.put().values().stream().findFirst()
                : Optional.empty();
    }
}
