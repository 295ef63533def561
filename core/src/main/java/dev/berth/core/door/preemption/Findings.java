package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.decision.Help;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What was found on nodes for pods of one kin, so that the next of them looks only where something changed. Shared are
 * pods that depend only on what is on the node itself, that have no nomination of their own, and that the same rules
 * admit to holds; what others demand of their neighbours is known by their coming and going. A pod whose rules have few
 * holds shares with its kin without holds, but for the nodes of those holds.
 */
final class Findings {
    private static final int KINS = 16;

    /** The nodes of so many holds at most are looked at for each pod. */
    private static final int FEW_HOLDS = 8;

    /**
     * What a node has for a pod.
     *
     * @param sacrifice whom it would have to send away, if that would help
     * @param reasons else why it would not
     * @param later the kinds of events that might change that
     * @param staying who would have to go, but cannot be sent away
     * @param namespaces those whose budgets said which pods to spare
     */
    record Finding(
            Optional<Sacrifice> sacrifice,
            List<String> reasons,
            Set<Hint> later,
            List<Pod> staying,
            Set<String> namespaces) {
        /** @param going the pods of which some are spared */
        static Finding of(Sacrifice sacrifice, List<Pod> going) {
            Set<String> namespaces = going.stream().map(Pod::namespace).collect(Collectors.toUnmodifiableSet());
            return new Finding(Optional.of(sacrifice), List.of(), Set.of(), List.of(), namespaces);
        }

        static Finding none(String reason) {
            return new Finding(Optional.empty(), List.of(reason), Set.of(), List.of(), Set.of());
        }

        static Finding none(List<Veto> left) {
            return new Finding(
                    Optional.empty(),
                    left.stream().map(Veto::words).distinct().toList(),
                    Help.lifting(left),
                    List.of(),
                    Set.of());
        }

        static Finding staying(String reason, List<Pod> pods) {
            return new Finding(Optional.empty(), List.of(reason), Set.of(), pods, Set.of());
        }
    }

    /** Pods of one kin are the same to every node. */
    private record Kin(
            String namespace, Labels labels, PodShape shape, int priority, String schedulerName, Set<OwnerRule> rules) {
        static Kin of(Pod pod, Collection<OwnerRule> rules) {
            return new Kin(
                    pod.namespace(), pod.labels(), pod.shape(), pod.priority(), pod.schedulerName(), Set.copyOf(rules));
        }
    }

    /** That nothing was found on any node. Budgets do not matter to that: they only say which pods to spare. */
    record Nothing(int nodes, Map<String, Integer> reasons, Set<Hint> later, List<Pod> staying) {
        Nothing {
            reasons = Map.copyOf(reasons);
            later = Set.copyOf(later);
            staying = List.copyOf(staying);
        }
    }

    private record KeptNothing(long version, Nothing nothing) {}

    private record Kept(long generation, long budgets, Finding finding) {}

    /**
     * What is known for a pod.
     *
     * @param own nodes where it has holds that its kin does not have
     */
    record Known(Page page, Budgets budgets, Set<NodeUid> own, long version) {
        Finding on(NodeState state, Supplier<Finding> fresh) {
            return own.contains(state.node().uid()) ? fresh.get() : page.on(state, budgets, fresh);
        }

        /** Whether nothing was found for another of its kin, and nothing changed since. */
        Optional<Nothing> nothing() {
            return own.isEmpty()
                    ? page.nothing.filter(it -> it.version == version).map(KeptNothing::nothing)
                    : Optional.empty();
        }

        void keep(Nothing nothing) {
            if (own.isEmpty()) {
                page.nothing = Optional.of(new KeptNothing(version, nothing));
            }
        }
    }

    /** What is known for one kin, by slot. */
    private static final class Page {
        private final List<Optional<Kept>> slots = new ArrayList<>();
        private Optional<KeptNothing> nothing = Optional.empty();

        Finding on(NodeState state, Budgets budgets, Supplier<Finding> fresh) {
            while (slots.size() <= state.slot()) {
                slots.add(Optional.empty());
            }
            Optional<Kept> kept = slots.get(state.slot())
                    .filter(known -> known.generation == state.generation()
                            && !budgets.changedSince(known.budgets, known.finding.namespaces()));
            if (kept.isPresent()) {
                return kept.get().finding;
            }
            Finding found = fresh.get();
            slots.set(state.slot(), Optional.of(new Kept(state.generation(), budgets.generation(), found)));
            return found;
        }
    }

    private final Map<Kin, Page> pages = new LinkedHashMap<>(KINS, 0.75f, true);
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();
    private long version = -1;
    private long rules = -1;

    /**
     * What is known for pods like this one as things are; empty where it must be found anew.
     *
     * @param rulesNow the generation of what else says who may be sent away
     */
    Optional<Known> of(Pod pod, LedgerView ledger, Budgets budgets, long rulesNow) {
        PodShape shape = pod.shape();
        boolean alone = pod.plain()
                && shape.spread().isEmpty()
                && shape.podAffinity().near().isEmpty()
                && shape.podAffinity().apart().isEmpty();
        if (!alone) {
            return Optional.empty();
        }
        forget(ledger, rulesNow);
        // Holds that cannot be claimed count, too: they can be once the pods that claim them are gone.
        Collection<OwnerRule> rules = ledger.rulesAdmitting(pod);
        Optional<Set<NodeUid>> few = ledger.nodesOf(rules, FEW_HOLDS);
        Page page = pages.computeIfAbsent(Kin.of(pod, few.isPresent() ? List.of() : rules), kin -> new Page());
        if (pages.size() > KINS) {
            pages.remove(pages.keySet().iterator().next());
        }
        return Optional.of(new Known(page, budgets, few.orElse(Set.of()), ledger.version()));
    }

    /** Forgets everything when something changed that matters to more than the node where it did. */
    private void forget(LedgerView ledger, long rulesNow) {
        FarReaching news = new FarReaching(ledger);
        boolean told = version >= 0 && ledger.changesSince(version, news);
        if (!told || news.any || rules != rulesNow) {
            pages.clear();
            nodes.clear();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                int at = slot;
                ledger.nodeAt(slot).ifPresent(state -> nodes.put(at, state.node()));
            }
        }
        version = ledger.version();
        rules = rulesNow;
    }

    private final class FarReaching implements LedgerView.Changes {
        private final LedgerView ledger;
        private boolean any;

        private FarReaching(LedgerView ledger) {
            this.ledger = ledger;
        }

        /** A node in another zone takes the demands of its pods along. */
        @Override
        public void nodeChanged(int slot) {
            Optional<Labels> now = ledger.nodeAt(slot).map(state -> state.node().labels());
            any |= !now.equals(Optional.ofNullable(nodes.get(slot)).map(Node::labels));
        }

        @Override
        public void podArrived(int slot, Pod pod) {
            any |= !pod.shape().podAffinity().apart().isEmpty();
        }

        @Override
        public void podLeft(int slot, Pod pod) {
            any |= !pod.shape().podAffinity().apart().isEmpty();
        }

        @Override
        public void workloadsChanged(String namespace) {
            // They make pods wish to be spread, and wishes refuse no node.
        }

        @Override
        public void namespacesChanged() {
            any = true;
        }
    }
}
