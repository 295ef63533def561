package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Help;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.preemption.Nomination.Stage;
import dev.berth.core.door.preemption.PreemptionWrite.Nominate;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.meter.Histogram;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.Wake;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes room for a pod that no node takes by sending away pods of less priority, as kube-scheduler does, and keeps that
 * room for it: the victims back the hold until they are gone, and nobody else gets in between. The pod's nominated node
 * is written first and stands for the hold; nominations of other schedulers are kept in the same way. The hold ends when
 * the pod is bound, here or elsewhere, when it is gone, or when it turns out not to help.
 */
public final class PreemptionDoor implements Door.HearsPods, Door.Helps {
    private final Profiles profiles;
    private final Budgets budgets = new Budgets();
    private final Nominations nominations = new Nominations();
    private final Evictions evictions = new Evictions();
    private final Wanting wanting = new Wanting();
    private final Findings findings = new Findings();
    private final Denials denials = new Denials();
    private final NominatedNodes nominated = new NominatedNodes();
    private final ChangedNodes changedNodes = new ChangedNodes();

    private final Histogram victims = Histogram.exponential(1, 2, 7);
    private long attempts;
    /** Since when there is a nomination that need not be written, because the pod shows it already. */
    private Optional<Instant> shownBefore = Optional.empty();

    /**
     * What preemption did so far.
     *
     * @param attempts for how many refused pods, those refused again counted again, somebody to send away was looked for
     * @param victims how many were sent away for each pod
     */
    public record Toll(long attempts, Histogram victims) {}

    /** @param schedulerNames whose pods Berth places; what it says on others' pods is left alone */
    public PreemptionDoor(Set<String> schedulerNames) {
        this(Profiles.same(schedulerNames, Profile.DEFAULT));
    }

    /** @param profiles whose pods Berth places, and which of them may send others away */
    public PreemptionDoor(Profiles profiles) {
        this.profiles = profiles;
        nominated.listener(nominations::touch);
    }

    /** The writer of nominated nodes, for other doors that nominate nodes. */
    public NominatedNodes nominatedNodes() {
        return nominated;
    }

    /** A copy of the counts, by the thread that decides. */
    public Toll toll() {
        return new Toll(attempts, victims.copy());
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.PREEMPTION;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof PreemptionFact.BudgetSeen seen) {
            budgets.put(seen.budget());
        } else if (fact instanceof PreemptionFact.BudgetGone gone) {
            budgets.remove(gone.uid());
        }
    }

    @Override
    public boolean indifferent() {
        return nominations.isEmpty()
                && wanting.isEmpty()
                && evictions.isEmpty()
                && denials.isEmpty()
                && nominated.isEmpty();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        evictions.seen(before, pod);
        nominated.seen(pod);
        nominations.touch(pod.uid());
        boolean shown = pod.nominatedNode().isPresent()
                && pod.waits()
                && !hasItsPlace(pod, desk)
                && !nominated.retracts(pod.uid());
        if (shown && nominations.of(pod.uid()).isEmpty()) {
            wanting.add(pod.uid());
        } else if (!shown && !wanting.isEmpty()) {
            wanting.remove(pod.uid());
        }
        if (nominations.isEmpty()) {
            return;
        }
        if (pod.waits()) {
            nominations.of(pod.uid()).ifPresent(known -> compare(known, pod, desk));
        } else {
            end(pod.uid(), desk);
        }
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        evictions.gone(pod.uid());
        nominated.gone(pod.uid());
        nominations.touch(pod.uid());
        denials.gone(pod.uid());
        if (!nominations.isEmpty() || !wanting.isEmpty()) {
            wanting.remove(pod.uid());
            end(pod.uid(), desk);
        }
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        PodUid uid = new PodUid(hold.id().value().substring(Nomination.PREFIX.length()));
        nominations.remove(uid).ifPresent(nomination -> retract(nomination.pod(), desk));
    }

    @Override
    public void settle(Desk desk) {
        shownBefore = Optional.empty();
        touchChanged(desk.ledger());
        nominated.settle(desk);
        wanting.work(desk, uid -> desk.ledger().pod(uid).ifPresent(pod -> adopt(pod, desk)));
        nominations.work(desk, nomination -> pursue(nomination, desk));
        evictions.drop(nominations.takeSpared());
        evictions.settle(desk);
        denials.review(this::isDenied).forEach(desk::reconsider);
    }

    private void touchChanged(LedgerView ledger) {
        if (nominations.isEmpty() && wanting.isEmpty()) {
            changedNodes.skip(ledger);
            return;
        }
        boolean anything = !changedNodes.isUpToDate(ledger);
        Optional<Set<String>> nodes = changedNodes.take(ledger);
        nominations.touchOn(nodes);
        wanting.touch(nodes, anything);
    }

    private void pursue(Nomination nomination, Desk desk) {
        Rooms.refresh(nomination, desk);
        spareWhoLeft(nomination, desk);
        if (nomination.stage() == Stage.UNWRITTEN && shows(nomination, desk)) {
            nominationWritten(nomination, desk);
        }
        if (nomination.stage() != Stage.UNWRITTEN) {
            evictions.pursue(nomination, desk);
            spareWhoLeft(nomination, desk);
            seeWhetherItHelped(nomination, desk);
        }
    }

    private boolean isDenied(PodUid pod, Denials.Act act) {
        return switch (act) {
            case NOMINATION -> nominated.denial(pod).isPresent();
            case EVICTION -> evictions.denial(pod).isPresent();
        };
    }

    @Override
    public int retrying() {
        return evictions.retrying() + nominated.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Wake.earlier(shownBefore, Wake.earlier(evictions.nextWake(), nominated.nextWake()));
    }

    @Override
    public Help unplaced(Pod pod, Placement.Refused refusal, Desk desk) {
        if (refusal.nodes() == 0) {
            return Help.NONE;
        }
        boolean leaving = victimsAreLeaving(pod, desk);
        if (!profiles.of(pod.schedulerName()).afterwards().preempts()) {
            return leaving ? Help.NONE : inVain(pod, "", desk);
        }
        attempts++;
        if (!pod.preempting()) {
            if (!leaving) {
                stepBack(pod, desk);
            }
            return Help.not("preemption: not eligible due to preemptionPolicy=Never.");
        }
        if (refusal.beforehand().isPresent()) {
            return inVain(pod, Search.inVain(refusal.nodes(), 0), desk);
        }
        if (leaving) {
            return Help.not("preemption: not eligible due to a terminating pod on the nominated node.");
        }
        OptionalInt lowest = desk.ledger().lowestPriority();
        boolean vain = refusal.curableNodes() == 0 || lowest.isEmpty() || lowest.getAsInt() >= pod.priority();
        if (vain && !nominations.concern(pod)) {
            return inVain(pod, Search.inVain(refusal.nodes(), refusal.curableNodes()), desk);
        }
        return makeRoom(pod, desk);
    }

    private Help makeRoom(Pod pod, Desk desk) {
        Optional<String> denied = denials.words(pod.uid(), Denials.Act.NOMINATION);
        if (denied.isPresent()) {
            denials.await(pod.uid());
            return inVain(pod, "preemption: no node could be nominated: %s.".formatted(denied.get()), desk);
        }
        Set<PodUid> asked = denials.enoughFor(pod.uid());
        if (!asked.isEmpty()) {
            denials.await(pod.uid());
            return inVain(pod, "preemption: nobody else is sent away for a while." + sentence(asked, desk), desk);
        }
        Search search = search(pod, known(pod, desk), desk);
        Optional<Sacrifice> smallest = search.smallest();
        if (smallest.isEmpty()) {
            if (search.isDenied()) {
                denials.await(pod.uid());
            }
            return new Help(false, inVain(pod, search.words(), desk).words(), search.later());
        }
        nominate(pod, smallest.get(), desk);
        return Help.NOW;
    }

    /** Says who of them stays. */
    private String sentence(Set<PodUid> asked, Desk desk) {
        return denials.sentence(asked.stream()
                .flatMap(uid -> desk.ledger().pod(uid).stream())
                .filter(denials::keep)
                .toList());
    }

    /** While its victims leave, nobody else need go. */
    @Override
    public Help helpOn(NodeState node, Pod pod, Desk desk) {
        boolean waits = nominations
                .of(pod.uid())
                .filter(own -> !own.awaitsNobody(desk.ledger()))
                .isPresent();
        if (waits
                || denials.words(pod.uid(), Denials.Act.NOMINATION).isPresent()
                || !denials.enoughFor(pod.uid()).isEmpty()
                || !pod.preempting()
                || !profiles.of(pod.schedulerName()).afterwards().preempts()) {
            return Help.NONE;
        }
        return search(pod, Optional.empty(), desk).helpOn(node);
    }

    Search search(Pod pod, Optional<Findings.Known> known, Desk desk) {
        return new Search(desk, new Search.Rules(budgets, nominations, denials), pod, known);
    }

    /** What was found for pods like this one; where defaults may demand a spread, it matters what is elsewhere. */
    Optional<Findings.Known> known(Pod pod, Desk desk) {
        return nominations.of(pod.uid()).isPresent()
                        || profiles.of(pod.schedulerName()).spread().demand()
                ? Optional.empty()
                : findings.of(pod, desk.ledger(), budgets, denials.generation());
    }

    /** A node that was nominated does not help any more. */
    private Help inVain(Pod pod, String words, Desk desk) {
        if (end(pod.uid(), desk).isPresent() || pod.nominatedNode().isPresent()) {
            retract(pod, desk);
        }
        return Help.not(words);
    }

    /** Who sends nobody away keeps the node that somebody named for it, and has room there once there is some. */
    private void stepBack(Pod pod, Desk desk) {
        if (end(pod.uid(), desk).isPresent()) {
            wanting.add(pod.uid());
        }
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        if (write instanceof Nominate nominate) {
            nominated.answered(nominate, outcome, desk);
            nominations
                    .of(nominate.pod().uid())
                    .filter(nomination -> nomination.node().equals(nominate.node()))
                    .ifPresent(nomination -> nominated(nomination, outcome, desk));
        } else if (write instanceof PreemptionWrite ours) {
            PodRef victim = Evictions.victimOf(ours).orElseThrow();
            evictions.answered(victim, ours, outcome, desk);
            if (outcome.kind() == Outcome.Kind.DENIED) {
                stays(victim, outcome.message(), desk);
            }
        }
    }

    /** A victim cannot be sent away: those who need its room look elsewhere, and for a while nobody counts on it. */
    private void stays(PodRef victim, String why, Desk desk) {
        if (desk.ledger().pod(victim.uid()).isPresent()) {
            denials.add(victim.uid(), Denials.Act.EVICTION, why);
        }
        for (Nomination nomination : nominations.withVictim(victim.uid())) {
            denials.inVain(nomination.pod().uid(), nomination.victims());
            end(nomination.pod().uid(), desk);
            retract(nomination.pod(), desk);
        }
    }

    /** A victim whose bind came to nothing, who was told to begin anew or who ended is not in the way any more. */
    private void spareWhoLeft(Nomination nomination, Desk desk) {
        LedgerView ledger = desk.ledger();
        boolean fewer = nominations.spare(
                nomination, victim -> ledger.pod(victim).isPresent() && !nomination.awaits(victim, ledger));
        if (fewer) {
            ledger.hold(nomination.hold())
                    .ifPresent(hold -> desk.hold(
                            hold.toBuilder().backers(nomination.victims()).build()));
        }
    }

    /** Somebody else may have come in by force: when the last victim is gone, the pod has its place or looks for another. */
    private static void seeWhetherItHelped(Nomination nomination, Desk desk) {
        LedgerView ledger = desk.ledger();
        if (nomination.awaitsNobody(ledger)
                && ledger.node(nomination.node()).filter(nomination::changed).isPresent()) {
            desk.reconsider(nomination.pod().uid());
        }
    }

    /** It is assumed where it is nominated, until its volumes are there: nothing else need be kept for it. */
    private static boolean hasItsPlace(Pod pod, Desk desk) {
        return desk.ledger().assumption(pod.uid()).map(Assumption::nodeName).equals(pod.nominatedNode());
    }

    /** Somebody nominated a node: an earlier self, or another scheduler. It is kept where there is room for the pod. */
    private void adopt(Pod pod, Desk desk) {
        String name = pod.nominatedNode().orElse("");
        Optional<NodeState> node = desk.ledger().node(name);
        boolean assumed = desk.ledger().assumption(pod.uid()).isPresent();
        if (assumed || !pod.waits() || !pod.gates().isEmpty()) {
            wanting.notNow(pod.uid());
            return;
        }
        if (node.isEmpty()) {
            wanting.missing(pod.uid(), name);
            return;
        }
        Set<PodUid> leaving = leaving(pod, node.get());
        List<Veto> vetoes = desk.vetoesWithout(pod, name, new Absence(leaving, Set.of()));
        if (!vetoes.isEmpty()) {
            wanting.refused(pod.uid(), name, vetoes);
        } else {
            wanting.remove(pod.uid());
            keep(new Nomination(pod, name, leaving, Stage.SHOWN), node.get(), desk);
        }
    }

    private static Set<PodUid> leaving(Pod pod, NodeState node) {
        return node.pods().stream()
                .filter(there -> there.terminating() && there.preempted() && there.priority() < pod.priority())
                .map(Pod::uid)
                .collect(Collectors.toSet());
    }

    /** A pod that needs other room than was found for it is decided on anew; so is what somebody else says of its node. */
    private void compare(Nomination known, Pod pod, Desk desk) {
        boolean sameNode = pod.nominatedNode().equals(Optional.of(known.node()));
        boolean samePod = pod.shape().equals(known.pod().shape())
                && pod.priority() == known.pod().priority();
        known.podChanged();
        if (sameNode && known.stage() == Stage.WRITTEN) {
            known.stage(Stage.SHOWN);
        }
        if (!samePod) {
            end(pod.uid(), desk);
            retract(pod, desk);
        } else if (!sameNode && known.stage() == Stage.SHOWN) {
            end(pod.uid(), desk);
            if (pod.nominatedNode().isPresent()) {
                wanting.add(pod.uid());
            }
            desk.reconsider(pod.uid());
        }
    }

    /** Whether the pod will have its place when those are gone who are leaving, or are about to. */
    private boolean victimsAreLeaving(Pod pod, Desk desk) {
        Optional<Nomination> known = nominations.of(pod.uid());
        Optional<NodeState> node =
                known.map(Nomination::node).or(pod::nominatedNode).flatMap(desk.ledger()::node);
        if (node.isEmpty() || !helps(pod, node.get().node().name(), desk)) {
            return false;
        }
        Set<PodUid> leaving = leaving(pod, node.get());
        if (known.isPresent()) {
            return !leaving.isEmpty()
                    || node.get().pods().stream()
                            .anyMatch(there -> known.get().victims().contains(there.uid()));
        }
        Absence absent = new Absence(leaving, Set.of());
        return !leaving.isEmpty()
                && desk.vetoesWithout(pod, node.get().node().name(), absent).isEmpty();
    }

    private static boolean helps(Pod pod, String node, Desk desk) {
        return desk.vetoes(pod, node, HoldUse.PREFERRED).stream().allMatch(Veto::curable);
    }

    private void nominate(Pod pod, Sacrifice sacrifice, Desk desk) {
        NodeState node = desk.ledger().node(sacrifice.node()).orElseThrow();
        nominations.below(pod, sacrifice.node()).forEach(lesser -> {
            end(lesser.pod().uid(), desk);
            retract(lesser.pod(), desk);
        });
        end(pod.uid(), desk);
        wanting.remove(pod.uid());
        Set<PodUid> victims = sacrifice.victims().stream().map(Pod::uid).collect(Collectors.toSet());
        Nomination nomination = new Nomination(pod, sacrifice.node(), victims, Stage.UNWRITTEN);
        keep(nomination, node, desk);
        nominated.want(pod.uid(), sacrifice.node(), name(), desk);
        if (shows(nomination, desk)) {
            shownBefore = Optional.of(desk.now());
        }
    }

    private void keep(Nomination nomination, NodeState node, Desk desk) {
        nominations.put(nomination);
        desk.hold(Rooms.of(nomination, node, desk));
    }

    /** A conflict leaves the room to the pod: an earlier try whose answer was lost may have nominated the node. */
    private void nominated(Nomination nomination, Outcome outcome, Desk desk) {
        PodUid pod = nomination.pod().uid();
        switch (outcome.kind()) {
            case WRITTEN -> nominationWritten(nomination, desk);
            case CONFLICT -> {}
            case GONE -> {
                end(pod, desk);
                desk.reconsider(pod);
            }
            case DENIED -> {
                denials.add(pod, Denials.Act.NOMINATION, outcome.message());
                end(pod, desk);
                desk.reconsider(pod);
            }
        }
    }

    /** Once the API server knows what for, the victims are sent away; where there are none, the place is there already. */
    private void nominationWritten(Nomination nomination, Desk desk) {
        if (nomination.stage() == Stage.UNWRITTEN) {
            victims.observe(nomination.victims().size());
            nomination.stage(shows(nomination, desk) ? Stage.SHOWN : Stage.WRITTEN);
        }
        if (nomination.awaitsNobody(desk.ledger())) {
            desk.reconsider(nomination.pod().uid());
        }
    }

    /** The watch may be quicker than the answer. */
    private boolean shows(Nomination nomination, Desk desk) {
        return desk.ledger()
                .pod(nomination.pod().uid())
                .filter(pod -> nominated.shows(pod, nomination.node()))
                .isPresent();
    }

    private Optional<Nomination> end(PodUid pod, Desk desk) {
        Optional<Nomination> ended = nominations.remove(pod);
        ended.ifPresent(nomination -> {
            desk.release(nomination.hold());
            nominated.drop(pod);
        });
        return ended;
    }

    /** The pod looks for a place anew; what other schedulers say on their pods is left alone. */
    private void retract(Pod pod, Desk desk) {
        if (profiles.names().contains(pod.schedulerName())) {
            nominated.want(pod.uid(), "", name(), desk);
            desk.reconsider(pod.uid());
        }
    }
}
