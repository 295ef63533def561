package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.queue.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the place of a deleted pod for the pod that replaces it. A bound pod that asks for it, by itself or through its
 * Deployment or StatefulSet, leaves a hold in the very decision in which it disappears. Then the door writes a
 * Reservation, which keeps the hold until a pod with the same key takes the place, its time is over, its node is gone or
 * it is deleted by hand.
 */
public final class ComebackDoor implements Door.HearsPods, Door.HearsNodes {
    private final Petitions petitions;
    private final ReturnRule rule;
    private final Takers takers = new Takers();
    private final Kept kept;
    private final RoomGivenAway room;
    private final Departures departures;
    private final Checkpoint checkpoint;
    private final TakerEntries takerEntries;
    private final CheckpointedPods checkpointed;
    private final NamedPods namedPods;
    /** Pods that say something and were seen before everything was listed: they may have come while no Berth led. */
    private final Map<PodUid, Pod> unanswered = new LinkedHashMap<>();

    private boolean listed;

    /** @param usual how long a place is kept where neither the pod nor its Deployment or StatefulSet says */
    public ComebackDoor(Duration usual) {
        this(usual, CheckpointLimits.DEFAULT);
    }

    public ComebackDoor(Duration usual, CheckpointLimits limits) {
        this.petitions = new Petitions(usual);
        this.checkpoint = new Checkpoint(limits);
        this.rule = new ReturnRule(petitions);
        this.kept = new Kept(petitions, takers, usual, checkpoint);
        this.room = new RoomGivenAway();
        checkpoint.onRemoved(pod -> kept.podForgotten(new PodKey(pod.namespace(), pod.uid())));
        this.takerEntries = new TakerEntries(checkpoint, kept);
        kept.onChange(takerEntries::touch);
        this.departures = new Departures(
                petitions, new LeftPlaces(petitions, rule, takers, kept), takers, kept, checkpoint, takerEntries, room);
        this.checkpointed = new CheckpointedPods(petitions, rule, departures, checkpoint, takerEntries);
        this.namedPods = new NamedPods(checkpoint, departures, kept);
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.RETURN;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof ComebackFact.PlaceholderSeen seen) {
            placeholderSeen(seen.placeholder(), desk);
        } else if (fact instanceof ComebackFact.PlaceholderGone gone) {
            namedPods.forget(gone.uid());
            kept.remove(gone.uid(), desk).ifPresent(placeholder -> {
                forgetTaker(placeholder.holdId());
                placeholder.taken().ifPresent(took -> forgetTaker(took.place()));
            });
        } else if (fact instanceof ComebackFact.PetitionSeen seen) {
            petitionSeen(seen.petition(), desk);
        } else if (fact instanceof ComebackFact.PetitionGone gone) {
            petitions.remove(gone.uid());
            checkpointed.petitionsChanged();
        } else if (fact instanceof ComebackFact.CheckpointSeen seen) {
            checkpoint.seen(seen.object());
        } else if (fact instanceof ComebackFact.CheckpointGone gone) {
            checkpoint.gone(gone.uid());
        }
    }

    private void placeholderSeen(Placeholder shown, Desk desk) {
        if (!listed) {
            kept.put(shown, desk);
            return;
        }
        Placeholder placeholder = namedPods.counted(shown, desk);
        tookSeen(placeholder, desk);
        kept.put(placeholder, desk);
        departures.placeholderSeen(placeholder, desk);
        if (!placeholder.key().isEmpty()) {
            ReturnKey key = new ReturnKey(placeholder.namespace(), placeholder.key());
            takers.of(placeholder.holdId(), placeholder.node(), key)
                    .flatMap(taker -> desk.ledger().pod(taker.uid()))
                    .ifPresent(taker -> checkpointed.update(taker, desk));
        }
    }

    /** The pod that left may have taken a place before: its reservation is what still says so. */
    private void tookSeen(Placeholder placeholder, Desk desk) {
        placeholder
                .pod()
                .filter(pod -> !placeholder.key().isEmpty())
                .ifPresent(pod -> placeholder.taken().ifPresent(took -> {
                    takers.put(
                            took.place(),
                            new ComebackWrite.Taker(placeholder.namespace(), took.pod(), pod, placeholder.node()),
                            new ReturnKey(placeholder.namespace(), placeholder.key()));
                    kept.taken(took.place(), desk);
                    departures.taken(took.place(), desk);
                }));
    }

    private void petitionSeen(Petition petition, Desk desk) {
        boolean news = !petitions.find(petition.uid()).equals(Optional.of(petition));
        petitions.put(petition);
        if (news) {
            checkpointed.petitionsChanged();
        }
        if (listed && news) {
            petitions.answer(petition, desk);
        }
    }

    @Override
    public boolean indifferent() {
        return listed && departures.isEmpty() && petitions.isEmpty();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        if (!listed) {
            rule.listed(pod);
        }
        if (listed && before.isEmpty()) {
            namedPods.appeared(pod, desk).ifPresent(placeholder -> kept.put(placeholder, desk));
        }
        Optional<HoldId> taken = takers.seen(pod, desk.ledger());
        taken.ifPresent(place -> {
            kept.taken(place, desk);
            departures.taken(place, desk);
        });
        if (listed) {
            takers.formerPlaces(pod.uid(), taken).stream()
                    .filter(place -> !isKnown(place))
                    .forEach(place -> takers.forget(pod.uid(), place));
        }
        if (listed && !pod.annotations().isEmpty() && saysOtherThan(before, pod)) {
            petitions.answer(pod, desk);
        } else if (!listed && Petitions.saysSomething(pod)) {
            unanswered.put(pod.uid(), pod);
        }
        departures.seen(before, pod, desk);
        if (listed) {
            checkpointed.update(pod, desk);
        }
    }

    private static boolean saysOtherThan(Optional<Pod> before, Pod pod) {
        return before.isEmpty() || !before.get().annotations().equals(pod.annotations());
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        unanswered.remove(pod.uid());
        departures.gone(pod, desk);
        checkpointed.gone(pod.uid());
        Set<HoldId> places = takers.gone(pod.uid());
        if (listed) {
            kept.podForgotten(new PodKey(pod.namespace(), pod.uid()));
            places.forEach(this::forgetTaker);
        }
    }

    /** Who took a place is of interest as long as something might still speak for the place. */
    private void forgetTaker(HoldId place) {
        if (!isKnown(place)) {
            takers.forget(place);
        }
    }

    private boolean isKnown(HoldId place) {
        return kept.knows(place) || departures.knows(place);
    }

    @Override
    public void nodeSeen(Node node, Desk desk) {
        kept.nodeSeen(node, desk);
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        kept.nodeGone(node);
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        kept.ended(hold, why);
        departures.ended(hold, why, desk);
    }

    @Override
    public Optional<Subject> subject(HoldId hold) {
        return kept.subject(hold);
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        if (write instanceof ComebackWrite.Create create) {
            departures.written(create, outcome, desk);
        } else if (write instanceof CheckpointWrite part) {
            checkpoint.written(part, outcome, desk);
        } else if (write instanceof ComebackWrite.Match match) {
            kept.written(match, outcome, desk);
        } else if (write instanceof ComebackWrite.Delete delete) {
            kept.written(delete, outcome, desk);
        }
    }

    @Override
    public void settle(Desk desk) {
        if (!listed) {
            listed = true;
            kept.listed(namedPods, desk).forEach(placeholder -> tookSeen(placeholder, desk));
            List<HoldId> places = checkpointed.takenPlaces(takers, desk);
            kept.begin(room, desk);
            departures.begin(desk);
            checkpoint.begin();
            checkpointed.begin(desk);
            places.forEach(this::forgetTaker);
            rule.begun();
            answerAll(desk);
        }
        checkpointed.settle(desk);
        takerEntries.settle();
        checkpoint.settle(desk);
        kept.settle(desk);
        departures.settle(desk);
    }

    @Override
    public boolean settleLast(Desk desk) {
        return kept.settleLast(desk);
    }

    /** What is malformed was told when it came only if a Berth led then: it is told once after each start. */
    private void answerAll(Desk desk) {
        unanswered.values().forEach(pod -> petitions.answer(pod, desk));
        unanswered.clear();
        petitions.answerAll(desk);
    }

    @Override
    public void workloadGone(Workload.Key key, Desk desk) {
        if (key.kind() == Workload.Kind.STATEFUL_SET) {
            kept.setDeleted(key, desk);
            departures.setDeleted(key, desk);
        }
    }

    @Override
    public void deletionsReplayed() {
        departures.deletionsReplayed();
        checkpointed.deletionsReplayed();
    }

    @Override
    public Set<PodUid> owed() {
        Set<PodUid> owed = departures.owed();
        owed.addAll(kept.owed());
        return owed;
    }

    @Override
    public int retrying() {
        return checkpoint.retrying() + kept.retrying() + departures.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        Optional<Instant> ofCheckpoint = Wake.earlier(checkpoint.nextWake(), checkpointed.nextWake());
        return Wake.earlier(ofCheckpoint, Wake.earlier(kept.nextWake(), departures.nextWake()));
    }
}
