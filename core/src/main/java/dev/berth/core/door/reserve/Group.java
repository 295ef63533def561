package dev.berth.core.door.reserve;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One Hold object, from the question for it until nothing is left of it. */
final class Group {
    /** The later comes last. */
    static final Comparator<Group> BY_AGE =
            Comparator.<Group, Instant>comparing(group -> group.spec.made()).thenComparing(group -> group.name);

    private final String name;
    /** The pods whose places have ended. */
    private final Set<PodUid> ended = new HashSet<>();
    /** Those of them whose places the object does not promise any more; old news may still say so. */
    private final Set<PodUid> released = new HashSet<>();
    /** The places that have not ended, by pod, in the order of the specification: asked for each pod of the group. */
    private final Map<PodUid, Place> live = new LinkedHashMap<>();
    /** The places that have ended, and that the object, or a write of it that is under way, may still promise. */
    private final Map<PodUid, Place> ending = new LinkedHashMap<>();

    private HoldSpec spec;
    private boolean nodesUnchecked = true;
    private String uid = "";
    private boolean durable;
    private boolean deleted;
    /** Somebody edited the object into something that cannot be read. */
    private boolean malformed;

    private Optional<Question> question;

    /** Somebody waits for the answer. */
    private record Question(Instant answerBy, ReserveDoor.Asker asker) {}

    private Group(String name, HoldSpec spec, Optional<Question> question) {
        this.name = name;
        this.spec = spec;
        this.question = question;
        sortPlaces();
    }

    private void sortPlaces() {
        live.clear();
        ending.clear();
        for (Place place : spec.places()) {
            PodUid pod = place.pod().uid();
            if (!ended.contains(pod)) {
                live.put(pod, place);
            } else if (!released.contains(pod)) {
                ending.put(pod, place);
            }
        }
    }

    static Group asked(String name, HoldSpec spec, Instant answerBy, ReserveDoor.Asker asker) {
        return new Group(name, spec, Optional.of(new Question(answerBy, asker)));
    }

    static Group found(String name, HoldSpec spec) {
        return new Group(name, spec, Optional.empty());
    }

    String name() {
        return name;
    }

    String uid() {
        return uid;
    }

    HoldSpec spec() {
        return spec;
    }

    /** Whether it is written, so that its places are promised. */
    boolean durable() {
        return durable;
    }

    /** The API server shows it. What had ended before stays so, be it that the object does not say it yet. */
    void seen(String itsUid, HoldSpec itsSpec) {
        uid = itsUid;
        spec = itsSpec;
        Set<PodUid> before = Set.copyOf(ending.keySet());
        sortPlaces();
        before.stream().filter(pod -> !ending.containsKey(pod)).forEach(released::add);
        nodesUnchecked = true;
        durable = true;
        malformed = false;
        if (deleted) {
            // Old news, or a creation that was on its way for long: deleting once more does no harm.
            deleted = false;
        }
    }

    /** The API server shows it, and it cannot be read: what was promised stays, and is written back. */
    void malformed(String itsUid) {
        uid = itsUid;
        malformed = true;
    }

    void written() {
        durable = true;
    }

    /** Whether the scheduler of this name reserved it. */
    boolean isOf(String scheduler) {
        return spec.scheduler().equals(scheduler);
    }

    List<Place> live() {
        return List.copyOf(live.values());
    }

    Optional<Place> live(PodUid pod) {
        return Optional.ofNullable(live.get(pod));
    }

    /**
     * The place that is kept for the pod: one that has not ended, or one that the object may still promise. A process that
     * starts reads that promise, so the room must not be given away before.
     */
    Optional<Place> kept(PodUid pod) {
        return live(pod).or(() -> Optional.ofNullable(ending.get(pod)));
    }

    /** Whether it has a place that ended and that the object may still promise. */
    boolean isEnding() {
        return !ending.isEmpty();
    }

    /** The places whose nodes were not looked for since the group showed; each is returned once. */
    List<Place> takeUncheckedNodes() {
        if (!nodesUnchecked) {
            return List.of();
        }
        nodesUnchecked = false;
        return live();
    }

    /** No pod begins to use the place from now on. Its room is kept until the object does not promise it any more. */
    void end(PodUid pod) {
        Place place = live.remove(pod);
        if (place != null) {
            ended.add(pod);
            ending.put(pod, place);
        }
    }

    /** The place is over whatever the object says: its deadline has passed, or its node is gone. */
    void release(PodUid pod) {
        end(pod);
        if (ending.remove(pod) != null) {
            released.add(pod);
        }
    }

    void endAll() {
        live().forEach(place -> end(place.pod().uid()));
    }

    boolean waitsForAnswer() {
        return question.isPresent();
    }

    Optional<Instant> answerBy() {
        return question.map(Question::answerBy);
    }

    /** Says whether all is well: nobody waits for a second answer, but who asked may have left before the first. */
    boolean answer(ReserveAnswer answer) {
        Optional<Question> waiting = question;
        question = Optional.empty();
        return waiting.isEmpty() || waiting.get().asker().hears(answer);
    }

    List<String> podNames() {
        return spec.places().stream().map(place -> place.pod().name()).toList();
    }

    /** What brings the object to what is true. */
    Optional<HoldWrite> wanted() {
        if (live.isEmpty()) {
            return deleted ? Optional.empty() : Optional.of(new HoldWrite.Delete(name, uid));
        }
        if (!durable) {
            return Optional.of(new HoldWrite.Create(name, spec));
        }
        boolean says = live.size() == spec.places().size() && !malformed;
        return says || uid.isEmpty()
                ? Optional.empty()
                : Optional.of(new HoldWrite.Shrink(name, uid, spec.with(live())));
    }

    /** The object is gone, and with it what it promised. */
    void deleted() {
        deleted = true;
        List.copyOf(ending.keySet()).forEach(this::release);
    }

    boolean isDeleted() {
        return deleted;
    }
}
