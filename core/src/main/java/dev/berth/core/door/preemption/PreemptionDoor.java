package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.preemption.Nomination.Stage;
import dev.berth.core.door.preemption.PreemptionWrite.Delete;
import dev.berth.core.door.preemption.PreemptionWrite.Mark;
import dev.berth.core.door.preemption.PreemptionWrite.Nominate;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Makes room for a pod that no node takes by sending away pods of less priority, as kube-scheduler does, and keeps that
 * room for it: the victims back the hold until they are gone, and nobody else gets in between. The pod's nominated node
 * is written first and stands for the hold; nominations of other schedulers are kept in the same way. The hold ends when
 * the pod is bound, here or elsewhere, when it is gone, or when it turns out not to help.
 */
public final class PreemptionDoor implements Door.HearsPods, Door.Helps {
    private final Set<String> schedulerNames;
    private final Budgets budgets = new Budgets();
    private final Nominations nominations = new Nominations();
    /** Pods that came with a nomination before everything was listed. */
    private final Set<PodUid> unjudged = new TreeSet<>();

    private boolean listed;

    /** @param schedulerNames whose pods Berth places; what it says on others' pods is left alone */
    public PreemptionDoor(Set<String> schedulerNames) {
        this.schedulerNames = Set.copyOf(schedulerNames);
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
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        boolean waits = waits(pod);
        if (nominations.isEmpty() && (pod.nominatedNode().isEmpty() || !waits)) {
            forget(pod.uid());
            return;
        }
        Optional<Nomination> known = nominations.of(pod.uid());
        if (!waits) {
            end(pod.uid(), desk);
        } else if (known.isEmpty()) {
            adopt(pod, desk);
        } else {
            compare(known.get(), pod, desk);
        }
    }

    @Override
    public void podGone(Pod pod, Desk desk) {
        if (!nominations.isEmpty() || !unjudged.isEmpty()) {
            end(pod.uid(), desk);
        }
    }

    private void forget(PodUid pod) {
        if (!unjudged.isEmpty()) {
            unjudged.remove(pod);
        }
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        PodUid uid = new PodUid(hold.id().value().substring(Nomination.PREFIX.length()));
        nominations.remove(uid).ifPresent(nomination -> retract(nomination, desk));
    }

    @Override
    public void settle(Desk desk) {
        if (!listed) {
            listed = true;
            unjudged.forEach(uid -> desk.ledger().pod(uid).ifPresent(pod -> adopt(pod, desk)));
            unjudged.clear();
        }
    }

    @Override
    public Optional<String> unplaced(Pod pod, Placement.Refused refusal, Desk desk) {
        if (refusal.nodes() == 0) {
            return Optional.empty();
        }
        if (!pod.preempting()) {
            return Optional.of("preemption: not eligible due to preemptionPolicy=Never.");
        }
        if (victimsAreLeaving(pod, desk)) {
            return Optional.of("preemption: not eligible due to a terminating pod on the nominated node.");
        }
        OptionalInt lowest = desk.ledger().lowestPriority();
        boolean vain = refusal.curableNodes() == 0 || lowest.isEmpty() || lowest.getAsInt() >= pod.priority();
        if (vain && nominations.isEmpty()) {
            return Optional.of(Search.inVain(refusal.nodes(), refusal.curableNodes()));
        }
        Search search = new Search(desk, budgets, nominations, pod);
        Optional<Sacrifice> smallest = search.smallest();
        if (smallest.isPresent()) {
            nominate(pod, smallest.get(), desk);
            return Optional.empty();
        }
        end(pod.uid(), desk).ifPresent(nomination -> retract(nomination, desk));
        return Optional.of(search.words());
    }

    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        PreemptionWrite ours = (PreemptionWrite) write;
        Optional<Nomination> known = nominations.of(ours.preemptor());
        if (known.isEmpty() || outcome.kind() == Outcome.Kind.GONE || outcome.kind() == Outcome.Kind.CONFLICT) {
            return;
        }
        if (outcome.kind() == Outcome.Kind.DENIED) {
            failed(known.get(), outcome.message(), desk);
        } else if (write instanceof Nominate nominate
                && nominate.node().equals(known.get().node())) {
            nominated(known.get(), desk);
        } else if (write instanceof Mark mark) {
            desk.write(new Delete(mark.victim(), mark.by()));
        } else if (write instanceof Delete delete) {
            String note = "Preempted by pod %s on node %s"
                    .formatted(delete.preemptor(), known.get().node());
            desk.write(new Announce(delete.victim(), Announce.Kind.normal("Preempted", "Preempting"), note));
        }
    }

    private static boolean waits(Pod pod) {
        return pod.nodeName().isEmpty() && !pod.terminating() && !pod.phase().terminal();
    }

    /** Somebody nominated a node: an earlier self, or another scheduler. It is kept where there is room for the pod. */
    private void adopt(Pod pod, Desk desk) {
        if (!listed) {
            unjudged.add(pod.uid());
            return;
        }
        Optional<NodeState> node = pod.nominatedNode().flatMap(desk.ledger()::node);
        if (node.isEmpty() || !waits(pod) || !pod.gates().isEmpty()) {
            return;
        }
        Set<PodUid> leaving = leaving(pod, node.get());
        Absence absent = new Absence(leaving, Set.of());
        String name = node.get().node().name();
        if (desk.vetoesWithout(pod, name, absent).isEmpty()) {
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
        if (sameNode && known.stage() == Stage.WRITTEN) {
            known.stage(Stage.SHOWN);
        }
        if (!samePod) {
            end(pod.uid(), desk).ifPresent(nomination -> retract(nomination, desk));
        } else if (!sameNode && known.stage() == Stage.SHOWN) {
            end(pod.uid(), desk);
            adopt(pod, desk);
        }
    }

    private boolean victimsAreLeaving(Pod pod, Desk desk) {
        Optional<NodeState> node = nominations
                .of(pod.uid())
                .map(Nomination::node)
                .or(pod::nominatedNode)
                .flatMap(desk.ledger()::node);
        if (node.isEmpty() || !helps(pod, node.get().node().name(), desk)) {
            return false;
        }
        Set<PodUid> victims = nominations.of(pod.uid()).map(Nomination::victims).orElse(Set.of());
        return !leaving(pod, node.get()).isEmpty()
                || node.get().pods().stream().anyMatch(there -> victims.contains(there.uid()));
    }

    private static boolean helps(Pod pod, String node, Desk desk) {
        return desk.vetoes(pod, node, HoldUse.PREFERRED).stream().allMatch(Veto::curable);
    }

    private void nominate(Pod pod, Sacrifice sacrifice, Desk desk) {
        NodeState node = desk.ledger().node(sacrifice.node()).orElseThrow();
        nominations.below(pod, sacrifice.node()).forEach(lesser -> {
            end(lesser.pod().uid(), desk);
            desk.write(new Nominate(lesser.ref(), ""));
        });
        end(pod.uid(), desk);
        Set<PodUid> victims = sacrifice.victims().stream().map(Pod::uid).collect(Collectors.toSet());
        keep(new Nomination(pod, sacrifice.node(), victims, Stage.UNWRITTEN), node, desk);
        desk.write(new Nominate(PodRef.of(pod), sacrifice.node()));
    }

    private void keep(Nomination nomination, NodeState node, Desk desk) {
        Pod pod = nomination.pod();
        nominations.put(nomination);
        Owner.PodMatch itself = new Owner.PodMatch(Optional.of(pod.uid().value()), Optional.empty(), Optional.empty());
        Origin origin = new Origin(Origin.Door.PREEMPTION, "the nomination of pod %s".formatted(pod));
        desk.hold(Hold.builder(nomination.hold(), node.node().uid(), origin)
                .size(pod.shape().requests().plus(Resources.of(ResourceName.PODS, 1)))
                .ports(pod.shape().hostPorts())
                .owners(List.of(new Owner(Optional.of(itself), Optional.empty(), Optional.empty())))
                .once(true)
                .backers(nomination.victims())
                .build());
    }

    private void nominated(Nomination nomination, Desk desk) {
        if (nomination.stage() != Stage.UNWRITTEN) {
            return;
        }
        nomination.stage(Stage.WRITTEN);
        for (PodUid uid : new TreeSet<>(nomination.victims())) {
            desk.ledger().pod(uid).filter(victim -> !victim.terminating()).ifPresent(victim -> {
                PodRef ref = new PodRef(
                        victim.namespace(), victim.name(), uid, nomination.pod().schedulerName());
                desk.write(new Mark(ref, nomination.ref(), desk.now()));
            });
        }
    }

    private void failed(Nomination nomination, String why, Desk desk) {
        end(nomination.pod().uid(), desk);
        retract(nomination, desk);
        String note = "preemption on node %s failed: %s".formatted(nomination.node(), why);
        desk.write(new Announce(nomination.ref(), Announce.Kind.warning("FailedScheduling", "Preempting"), note));
    }

    private Optional<Nomination> end(PodUid pod, Desk desk) {
        forget(pod);
        Optional<Nomination> ended = nominations.remove(pod);
        ended.ifPresent(nomination -> desk.release(nomination.hold()));
        return ended;
    }

    private void retract(Nomination nomination, Desk desk) {
        if (schedulerNames.contains(nomination.pod().schedulerName())) {
            desk.write(new Nominate(nomination.ref(), ""));
        }
    }
}
