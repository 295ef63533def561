package dev.berth.core.door.reserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.reserve.PostponedRequests.Postponed;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.queue.Wake;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps places for groups of pods that other schedulers will bind. A group is decided on as a whole, its room is kept at
 * once, and it is promised when the Hold object that stands for it is written. A place ends when its pod is bound, wherever
 * and by whomever, when the pod or the node is gone, at its deadline, or when it is given back. Its room is kept until the
 * Hold object says so: the next process that reads the object would keep it again.
 */
public final class ReserveDoor implements Door.HearsPods {
    public static final String API_VERSION = "berth.dev/v1alpha1";
    public static final String KIND = "Hold";

    private final ReserveSettings settings;
    private final Groups groups = new Groups();
    private final Places places = new Places();
    private final Reconciler<String, HoldWrite> reconciler = new Reconciler<>(new Objects());
    /** The pods whose places in the ledger are not yet what their groups say: kept, and perhaps still closed. */
    private final Set<PodUid> outdated = new LinkedHashSet<>();
    /** Whose callers were not answered yet, in the order in which they came. */
    private final List<Group> waiting = new ArrayList<>();

    private final LostPlaces lost = new LostPlaces();
    private final ExpiredPlaces expired;
    private final PostponedRequests postponed = new PostponedRequests();
    /** What makes no sense and was said to, by UID. */
    private final Map<String, String> complaints = new HashMap<>();

    private Instant newest = Instant.MIN;
    private long asked;

    /** Who asked for room. */
    @FunctionalInterface
    public interface Asker {
        /**
         * Hears the answer: once all is written where it is yes; where it is no, at once, or when no room is about to be
         * released on the nodes that were asked for.
         *
         * @return whether anybody was still there to hear it; else what would have been promised is taken back
         */
        boolean hears(ReserveAnswer answer);
    }

    public ReserveDoor(ReserveSettings settings) {
        this(settings, words -> {});
    }

    /** @param log gets a line for each place that no pod used in its time: the caller has its answer already */
    public ReserveDoor(ReserveSettings settings, Consumer<String> log) {
        this.settings = settings;
        this.expired = new ExpiredPlaces(log);
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.RESERVE;
    }

    /** Decides on a group. To be asked only when everything was listed. */
    public void reserve(ReserveRequest request, Desk desk, Asker asker) {
        decide(new Postponed(request, desk.now().plus(settings.answerWithin()), asker), desk);
    }

    private void decide(Postponed question, Desk desk) {
        ReserveRequest request = question.request();
        Fitting fitting = new Fitting(desk.ledger(), seat -> Places.of(seat, request.scheduler(), desk.ledger()));
        Optional<ReserveAnswer> refusal =
                request.objection(settings.mostPods()).or(() -> fitting.refusal(request.seats()));
        List<Place> wanted = new ArrayList<>();
        for (Seat seat : request.seats()) {
            if (!fitting.isThere(seat)) {
                desk.ledger().node(seat.node()).ifPresent(state -> wanted.add(Place.of(seat.pod(), state)));
            }
        }
        Instant now = desk.now();
        if (refusal.filter(answer -> question.answerBy().isAfter(now) && mayFitSoon(request, answer))
                .isPresent()) {
            postponed.add(question);
            return;
        }
        if (refusal.isPresent() || wanted.isEmpty()) {
            question.asker().hears(refusal.orElse(ReserveAnswer.DONE));
            return;
        }
        HoldSpec spec = new HoldSpec(request.scheduler(), later(now), now.plus(settings.holdFor()), wanted);
        Group group = Group.asked(GroupName.of(spec, asked++), spec, question.answerBy(), question.asker());
        groups.add(group);
        waiting.add(group);
        refresh(group, desk);
    }

    /** Whether places on these nodes are over and their objects are about to say so. A denied write is not waited for. */
    private boolean mayFitSoon(ReserveRequest request, ReserveAnswer refusal) {
        return refusal.isForLackOfRoom()
                && request.seats().stream()
                        .map(Seat::node)
                        .distinct()
                        .anyMatch(node -> places.ending().anyOn(node, name -> !reconciler.isDenied(name)));
    }

    /** Later than all that are known, whatever clock they were made by: the later of two objects counts. */
    private Instant later(Instant now) {
        Instant next = newest.equals(Instant.MIN) ? now : newest.plusMillis(1);
        newest = now.isAfter(next) ? now : next;
        return newest;
    }

    /**
     * Gives back what the scheduler that asks has reserved for the pods, on whatever node. What another scheduler reserved
     * stays; the answer names those pods, and not the scheduler, which would only help a caller that lies.
     */
    public ReserveAnswer unreserve(ReserveRequest request, Desk desk) {
        Optional<ReserveAnswer> objection = request.namelessOrTooLong();
        if (objection.isPresent()) {
            return objection.get();
        }
        List<Seat> foreign = new ArrayList<>();
        for (Seat seat : request.seats()) {
            PodUid pod = seat.pod().uid();
            List<Group> own = groups.of(pod, request.scheduler());
            if (own.isEmpty() && !groups.of(pod).isEmpty()) {
                foreign.add(seat);
            }
            own.forEach(group -> end(group, pod, "was given back", desk));
            keep(pod, desk);
        }
        return foreign.isEmpty() ? ReserveAnswer.DONE : ReserveAnswer.notReleased(request.scheduler(), foreign);
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof HoldFact.Seen seen
                && seen.spec().objection(desk.now()).isPresent()) {
            String problem = seen.spec().objection(desk.now()).get();
            malformed(new HoldFact.Malformed(seen.name(), seen.uid(), problem), desk);
        } else if (fact instanceof HoldFact.Seen seen) {
            seen(seen, desk);
        } else if (fact instanceof HoldFact.Malformed malformed) {
            malformed(malformed, desk);
        } else if (fact instanceof HoldFact.Gone gone) {
            complaints.remove(gone.uid());
            groups.ofUid(gone.uid()).ifPresent(group -> gone(group, desk));
        }
    }

    private void seen(HoldFact.Seen object, Desk desk) {
        complaints.remove(object.uid());
        newest = newest.isAfter(object.spec().made()) ? newest : object.spec().made();
        Optional<Group> known = groups.named(object.name());
        Group group = known.orElseGet(() -> Group.found(object.name(), object.spec()));
        HoldSpec before = group.spec();
        groups.seen(group, object);
        promised(group, desk);
        if (known.isPresent() && before.equals(object.spec())) {
            refreshLater(group);
        } else {
            reconciler.touch(group.name());
            // Both together: each pod is looked at once.
            Set<PodUid> pods = new LinkedHashSet<>();
            before.places().forEach(place -> pods.add(place.pod().uid()));
            object.spec().places().forEach(place -> pods.add(place.pod().uid()));
            pods.forEach(pod -> keep(pod, desk));
        }
    }

    @Override
    public boolean indifferent() {
        return !groups.haveAny();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        if (groups.haveAny(pod.uid())) {
            noLongerNeeds(pod).ifPresent(why -> end(pod.uid(), why, desk));
        }
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        if (groups.haveAny(pod.uid())) {
            end(pod.uid(), "is gone", desk);
        }
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        Optional<PodUid> found = places.podOf(hold.id());
        if (found.isEmpty()) {
            return;
        }
        PodUid pod = found.get();
        for (Group group : groups.keeping(pod)) {
            boolean over = switch (why) {
                case DEADLINE -> !group.spec().deadline().isAfter(desk.now());
                case NODE_GONE ->
                    group.kept(pod)
                            .filter(place -> place.node().uid().equals(hold.node()))
                            .isPresent();
                // These holds draw on no other.
                case DRAW_BROKEN -> false;
            };
            if (over && why == End.DEADLINE) {
                group.live(pod).ifPresent(place -> expired.add(group, place, subject(group.name(), group.uid())));
                release(group, pod, "has waited too long", desk);
            } else if (over) {
                loseNode(group, pod, desk);
            }
        }
        keep(pod, desk);
    }

    @Override
    public Optional<Subject> subject(HoldId hold) {
        return places.podOf(hold).map(groups::keeping).orElse(List.of()).stream()
                .filter(group -> group.durable() && !group.uid().isEmpty())
                .filter(group -> group.spec().places().stream()
                        .anyMatch(place ->
                                Places.id(place, group.spec().scheduler()).equals(hold)))
                .findFirst()
                .map(group -> subject(group.name(), group.uid()));
    }

    private static Subject subject(String name, String uid) {
        return new Subject(API_VERSION, KIND, "", name, uid, Subject.BERTH);
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        HoldWrite sent = (HoldWrite) write;
        Optional<Group> known = groups.named(sent.name());
        if (known.isEmpty()) {
            return;
        }
        Group group = known.get();
        if (sent instanceof HoldWrite.Create create) {
            created(group, create, outcome, desk);
            return;
        }
        reconciler.answered(sent.name(), sent, outcome, desk);
        boolean done = outcome.kind() == Outcome.Kind.WRITTEN || outcome.kind() == Outcome.Kind.GONE;
        if (done && sent instanceof HoldWrite.Delete) {
            bury(group);
        } else if (outcome.kind() == Outcome.Kind.GONE) {
            gone(group, desk);
        }
    }

    @Override
    public void settle(Desk desk) {
        waiting.removeIf(group -> !group.waitsForAnswer());
        for (Group group : List.copyOf(waiting)) {
            if (group.answerBy().filter(by -> !by.isAfter(desk.now())).isPresent()) {
                fail(group, late(), desk);
            }
        }
        boolean upToDate = keepOutdated(desk);
        postponed.take(places.ending().takeReleased(), desk.now()).forEach(question -> decide(question, desk));
        boolean done = upToDate
                && reconciler.forEachDue(
                        desk,
                        name -> groups.named(name)
                                .ifPresentOrElse(group -> settle(group, desk), () -> reconciler.forget(name)));
        lost.announce(desk);
        expired.announce(desk);
        if (done) {
            groups.forgetOld(desk.now());
        }
    }

    @Override
    public int retrying() {
        return reconciler.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        Optional<Instant> next = Wake.earlier(reconciler.nextWake(), postponed.nextWake());
        for (Group group : waiting) {
            next = Wake.earlier(next, group.answerBy());
        }
        return next;
    }

    private String late() {
        return "Berth could not have it written down within %d ms, and took it back"
                .formatted(settings.answerWithin().toMillis());
    }

    /** Everything was listed: what is not there now is not there. */
    private void settle(Group group, Desk desk) {
        for (Place place : group.takeUncheckedNodes()) {
            PodUid pod = place.pod().uid();
            boolean nodeGone = desk.ledger()
                    .holdState(Places.id(place, group.spec().scheduler()))
                    .flatMap(HoldState::nodeName)
                    .isEmpty();
            if (nodeGone) {
                loseNode(group, pod, desk);
                keep(pod, desk);
            }
        }
        reconciler.reconcile(group.name(), desk);
    }

    private void created(Group group, HoldWrite.Create write, Outcome outcome, Desk desk) {
        switch (outcome.kind()) {
            case WRITTEN -> {
                reconciler.answered(group.name(), write, outcome, desk);
                group.written();
                promised(group, desk);
                refreshLater(group);
            }
            // Mostly there is one of this name, which is this very one: an answer was lost before, and it will show.
            case CONFLICT -> reconciler.answered(group.name(), write, outcome, desk);
            // The one who asked is told no, and asks again: nothing is left to write.
            case GONE, DENIED -> {
                reconciler.forget(group.name());
                fail(
                        group,
                        "Berth could not write it down: %s. Maybe 'berth install' was never applied"
                                .formatted(outcome.message()),
                        desk);
                // An earlier try whose answer was lost may have written it: should it show, it is deleted.
                bury(group);
            }
        }
    }

    /**
     * It is written. Where another one of the same scheduler is newer, or the pod has come to its end meanwhile, the place has ended already.
     * Where nobody waits for it any more it is taken back, and what was promised before stays.
     */
    private void promised(Group group, Desk desk) {
        if (!group.answer(ReserveAnswer.DONE)) {
            group.endAll();
        }
        for (Place place : group.live()) {
            PodUid pod = place.pod().uid();
            desk.ledger().pod(pod).flatMap(ReserveDoor::noLongerNeeds).ifPresent(why -> group.end(pod));
            List<Group> promised = groups.of(pod, group.spec().scheduler()).stream()
                    .filter(Group::durable)
                    .toList();
            for (Group older : promised.subList(0, Math.max(0, promised.size() - 1))) {
                older.end(pod);
                reconciler.touch(older.name());
            }
        }
    }

    /** Nothing of it is left, whoever deleted it. */
    private void gone(Group group, Desk desk) {
        group.spec().places().forEach(place -> group.release(place.pod().uid()));
        refresh(group, desk);
        group.answer(ReserveAnswer.refused(group.podNames(), "Somebody deleted Hold " + group.name(), List.of()));
        groups.remove(group);
    }

    /** The API server has no such object any more. Its room is released as turns have time. */
    private void bury(Group group) {
        groups.bury(group);
        keepLater(group);
    }

    private void fail(Group group, String error, Desk desk) {
        group.endAll();
        refresh(group, desk);
        group.answer(ReserveAnswer.refused(group.podNames(), error, List.of(error)));
    }

    private void end(PodUid pod, String why, Desk desk) {
        List<Group> with = groups.of(pod);
        with.forEach(group -> end(group, pod, why, desk));
        keep(pod, desk);
    }

    /** A group that nobody was promised yet is whole or nothing; of the others the rest stays. */
    private void end(Group group, PodUid pod, String why, Desk desk) {
        if (group.waitsForAnswer()) {
            Object who = group.live(pod).<Object>map(Place::pod).orElse(pod);
            fail(group, "Pod %s %s meanwhile".formatted(who, why), desk);
            return;
        }
        group.end(pod);
        reconciler.touch(group.name());
    }

    /** The same, and the place needs no write to be over: the next process that reads the object will not keep it. */
    private void release(Group group, PodUid pod, String why, Desk desk) {
        end(group, pod, why, desk);
        group.release(pod);
    }

    private void loseNode(Group group, PodUid pod, Desk desk) {
        group.live(pod).ifPresent(place -> lost.add(group, place, subject(group.name(), group.uid())));
        release(group, pod, "has lost its node", desk);
    }

    /** Brings the ledger to what is kept for the group's pods, and the object to what is true. */
    private void refresh(Group group, Desk desk) {
        reconciler.touch(group.name());
        group.spec().places().forEach(place -> keep(place.pod().uid(), desk));
    }

    private void keep(PodUid pod, Desk desk) {
        places.keep(pod, groups.keeping(pod), desk);
    }

    /**
     * The same as far as turns have time for it, since a group may have thousands of pods. Only where nothing new is to be
     * kept: until then the ledger keeps what it did.
     */
    private void refreshLater(Group group) {
        reconciler.touch(group.name());
        keepLater(group);
    }

    private void keepLater(Group group) {
        group.spec().places().forEach(place -> outdated.add(place.pod().uid()));
    }

    /** Says whether all were brought to what their groups say. */
    private boolean keepOutdated(Desk desk) {
        Iterator<PodUid> pods = outdated.iterator();
        while (pods.hasNext()) {
            PodUid pod = pods.next();
            pods.remove();
            keep(pod, desk);
            if (desk.timeIsUp()) {
                return false;
            }
        }
        return true;
    }

    private static Optional<String> noLongerNeeds(Pod pod) {
        if (pod.phase().terminal()) {
            return Optional.of("came to its end");
        }
        if (pod.nodeName().isPresent()) {
            return pod.nodeName().map("was bound to node %s"::formatted);
        }
        return pod.terminating() ? Optional.of("was deleted") : Optional.empty();
    }

    /**
     * A Hold is Berth's own record of what it promised: an edit takes nothing of that away. What this process never read, it
     * cannot keep.
     */
    private void malformed(HoldFact.Malformed object, Desk desk) {
        Optional<Group> known = groups.named(object.name());
        Optional<Group> promised = known.filter(group ->
                group.durable() && (group.uid().isEmpty() || group.uid().equals(object.uid())));
        promised.ifPresentOrElse(
                group -> {
                    groups.malformed(group, object.uid());
                    reconciler.touch(group.name());
                },
                () -> known.ifPresent(group -> gone(group, desk)));
        String note = promised.isPresent()
                ? "Berth keeps its places as before the edit and writes them back: " + object.problem()
                : "Berth keeps nothing for it: " + object.problem();
        if (!note.equals(complaints.put(object.uid(), note))) {
            Subject subject = subject(object.name(), object.uid());
            desk.write(new Effect.Announce(subject, Effect.Announce.Kind.warning("Malformed", "Reading"), note));
        }
    }

    /** The Hold objects as the reconciler asks for them. */
    private final class Objects implements Source<String, HoldWrite> {
        /** These writes ask for the object's UID, not for its version. */
        @Override
        public String version(String name) {
            return "";
        }

        @Override
        public Optional<HoldWrite> wanted(String name, Desk desk) {
            return groups.named(name).flatMap(Group::wanted);
        }

        @Override
        public Subject subject(HoldWrite write) {
            String uid = groups.named(write.name()).map(Group::uid).orElse("");
            return ReserveDoor.subject(write.name(), uid);
        }

        @Override
        public String consequence(HoldWrite write) {
            return groups.named(write.name())
                    .filter(Group::isEnding)
                    .map(group ->
                            "The room of its places that are over stays kept, and no pod can use it, until then or until %s."
                                    .formatted(group.spec().deadline().truncatedTo(ChronoUnit.SECONDS)))
                    .orElse("What the Hold no longer keeps is free already.");
        }
    }
}
