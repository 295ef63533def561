package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Help;
import dev.berth.core.door.preemption.Findings.Finding;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Looks on every node for the smallest sacrifice that would make room for a pod. */
final class Search {
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";
    private static final String NO_VICTIMS = "No preemption victims found for incoming pod";
    private static final String STAYING = "node(s) had pods that could not be sent away";

    /** What says who may be sent away. */
    record Rules(Budgets budgets, Nominations nominations, Denials denials) {}

    private final Desk desk;
    private final Budgets budgets;
    private final Nominations nominations;
    private final Denials denials;
    private final Pod pod;
    private final Optional<Findings.Known> known;
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Set<Hint> later = EnumSet.noneOf(Hint.class);
    private final Set<Pod> staying = new LinkedHashSet<>();
    private int nodes;

    /** @param known what was found for pods of the same kin, where there may be any */
    Search(Desk desk, Rules rules, Pod pod, Optional<Findings.Known> known) {
        this.desk = desk;
        this.budgets = rules.budgets();
        this.nominations = rules.nominations();
        this.denials = rules.denials();
        this.pod = pod;
        this.known = known;
    }

    /** What kube-scheduler says where no pod has less priority than this one: no node need be looked at. */
    static String inVain(int nodes, int curable) {
        Map<String, Integer> reasons = new TreeMap<>();
        if (curable > 0) {
            reasons.put(NO_VICTIMS, curable);
        }
        if (nodes > curable) {
            reasons.put(NOT_HELPFUL, nodes - curable);
        }
        return words(nodes, reasons);
    }

    Optional<Sacrifice> smallest() {
        Optional<Findings.Nothing> before = known.flatMap(Findings.Known::nothing);
        if (before.isPresent()) {
            nodes = before.get().nodes();
            reasons.putAll(before.get().reasons());
            later.addAll(before.get().later());
            staying.addAll(before.get().staying());
            return Optional.empty();
        }
        Optional<Sacrifice> found = look();
        if (found.isEmpty()) {
            known.ifPresent(it -> it.keep(new Findings.Nothing(nodes, reasons, later, List.copyOf(staying))));
        }
        return found;
    }

    private Optional<Sacrifice> look() {
        LedgerView ledger = desk.ledger();
        List<Sacrifice> found = new ArrayList<>();
        for (int slot = 0; slot < ledger.slotBound(); slot++) {
            ledger.nodeAt(slot).ifPresent(node -> {
                nodes++;
                Finding finding = known.isPresent() ? known.get().on(node, () -> on(node)) : on(node);
                finding.sacrifice().ifPresent(found::add);
                later.addAll(finding.later());
                staying.addAll(finding.staying());
                finding.reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum));
            });
        }
        return found.stream().min(Sacrifice.SIZE);
    }

    /** Why there was none. */
    String words() {
        return words(nodes, reasons) + denials.sentence(staying);
    }

    /** Whether it would have been otherwise if everybody could be sent away. */
    boolean isDenied() {
        return !staying.isEmpty();
    }

    /** What might change that. */
    Set<Hint> later() {
        return later;
    }

    private static String words(int nodes, Map<String, Integer> reasons) {
        String counted = reasons.entrySet().stream()
                .map(reason -> reason.getValue() + " " + reason.getKey())
                .sorted()
                .collect(Collectors.joining(", "));
        return "preemption: 0/%d nodes are available: %s.".formatted(nodes, counted);
    }

    /** Whether the node would take the pod if all gave way who must. */
    Help helpOn(NodeState state) {
        String node = state.node().name();
        List<Pod> going =
                lesser(state).stream().filter(there -> !denials.keep(there)).toList();
        Absence all = new Absence(uids(going), nominations.yieldingTo(pod, node));
        if ((all.pods().isEmpty() && all.holds().isEmpty()) || !curable(node)) {
            return Help.NONE;
        }
        List<Veto> left = desk.vetoesWithout(pod, node, all);
        return left.isEmpty() ? Help.NOW : new Help(false, "", Help.lifting(left));
    }

    private boolean curable(String node) {
        return desk.vetoes(pod, node, HoldUse.PREFERRED).stream().allMatch(Veto::curable);
    }

    private List<Pod> lesser(NodeState state) {
        return state.pods().stream()
                .filter(there -> there.priority() < pod.priority())
                .toList();
    }

    private static Set<PodUid> uids(List<Pod> pods) {
        return pods.stream().map(Pod::uid).collect(Collectors.toCollection(HashSet::new));
    }

    private Finding on(NodeState state) {
        String node = state.node().name();
        if (!curable(node)) {
            return Finding.none(NOT_HELPFUL);
        }
        List<Pod> lesser = lesser(state).stream().sorted(Sacrifice.IMPORTANCE).toList();
        Set<HoldId> over = nominations.yieldingTo(pod, node);
        if (lesser.isEmpty() && over.isEmpty()) {
            return Finding.none(NO_VICTIMS);
        }
        Set<PodUid> gone = uids(lesser);
        List<Veto> left = desk.vetoesWithout(pod, node, new Absence(gone, over));
        if (!left.isEmpty()) {
            return Finding.none(left);
        }
        List<Pod> kept = lesser.stream().filter(denials::keep).toList();
        gone.removeAll(uids(kept));
        if (!kept.isEmpty()
                && !desk.vetoesWithout(pod, node, new Absence(gone, over)).isEmpty()) {
            return Finding.staying(STAYING, kept);
        }
        List<Pod> going = lesser.stream().filter(there -> !denials.keep(there)).toList();
        return Finding.of(spared(node, going, gone, over), going);
    }

    /** Spares whom it can, those whom a budget protects before the others and the more important before the lesser. */
    private Sacrifice spared(String node, List<Pod> lesser, Set<PodUid> gone, Set<HoldId> over) {
        Set<Pod> inOrder = new LinkedHashSet<>(budgets.violated(lesser));
        int protectedOnes = inOrder.size();
        inOrder.addAll(lesser);
        List<Pod> victims = new ArrayList<>();
        int violations = 0;
        int asked = 0;
        for (Pod candidate : inOrder) {
            gone.remove(candidate.uid());
            if (!desk.vetoesWithout(pod, node, new Absence(gone, over)).isEmpty()) {
                gone.add(candidate.uid());
                victims.add(candidate);
                violations += asked < protectedOnes ? 1 : 0;
            }
            asked++;
        }
        return new Sacrifice(node, victims, violations);
    }
}
