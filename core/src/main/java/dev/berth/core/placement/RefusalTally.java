package dev.berth.core.placement;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Keeper;
import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.table.AmountLog;
import dev.berth.core.placement.table.NodeTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes say to pods that they cannot tell apart, kept from one refusal to the next: only nodes that changed in
 * the meantime are asked again. It says what {@link Reasons} says of the same vetoes, and it can take an answer back.
 * Valid only for pods to which nothing matters but the node itself.
 */
final class RefusalTally {
    private static final long NEVER = -1;

    /**
     * What one node says.
     *
     * @param hints the events that can have the node take the pod, where the pod has holds there; else none
     */
    record Answer(String node, List<Veto> vetoes, Set<Hint> hints) {
        boolean curable() {
            return vetoes.stream().allMatch(Veto::curable);
        }
    }

    /** Asks one node. */
    interface Question {
        Answer ask(NodeState state);
    }

    private record Said(String node, Veto veto) {}

    private static final class Sum {
        private static final Comparator<Said> NEARNESS = Comparator.comparing((Said said) -> !said.veto.curable())
                .thenComparingLong(said -> said.veto.missing())
                .thenComparing(Said::node);

        private final TreeSet<Said> said = new TreeSet<>(NEARNESS);
        private final NavigableSet<Keeper> keepers = KeeperNames.emptyInOrder();

        Reason reason() {
            Said nearest = said.first();
            return new Reason(said.size(), nearest.node, nearest.veto, KeeperNames.firstOf(keepers));
        }
    }

    private final NodeTable table;
    private final Map<Reasons.Kind, Sum> sums = new HashMap<>();
    private final Map<Hint, Integer> hints = new EnumMap<>(Hint.class);
    private @Nullable Answer[] answers = new Answer[0];
    /** Nodes that changed and that were not asked yet. */
    private final BitSet unasked = new BitSet();

    private int curableNodes;
    private int weight;
    private long amountsSeen = NEVER;

    RefusalTally(NodeTable table) {
        this.table = table;
    }

    /**
     * Asks the nodes that changed.
     *
     * @param timeIsUp asked after each node; after a yes, the next call goes on where this one stopped
     * @return whether all of them were asked
     */
    boolean repair(Question question, BooleanSupplier timeIsUp) {
        findUnasked();
        for (int slot = unasked.nextSetBit(0); slot >= 0; slot = unasked.nextSetBit(slot + 1)) {
            replace(slot, table.state(slot).map(question::ask));
            unasked.clear(slot);
            if (timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return unasked.isEmpty();
    }

    /** Whether some nodes that changed before the last call were not asked yet. */
    boolean isUnfinished() {
        return !unasked.isEmpty();
    }

    private void findUnasked() {
        AmountLog amounts = table.changedAmounts();
        // Whatever changes on a node is in this log: pods, holds, labels and taints.
        BitSet changed = new BitSet();
        if (amountsSeen == NEVER || !amounts.reachesBackTo(amountsSeen)) {
            changed.set(0, table.bound());
        } else {
            for (long number = amountsSeen; number < amounts.head(); number++) {
                changed.set(amounts.slots()[amounts.at(number)]);
            }
        }
        // All former answers go first: a hold that moved is named by its former node and by its new one.
        for (int slot = changed.nextSetBit(0); slot >= 0; slot = changed.nextSetBit(slot + 1)) {
            replace(slot, Optional.empty());
        }
        unasked.or(changed);
        amountsSeen = amounts.head();
    }

    /** How many vetoes of nodes are kept, and holds that they name. */
    int weight() {
        return weight;
    }

    Refused refused() {
        List<Reason> reasons =
                sums.values().stream().map(Sum::reason).sorted(Reasons.BY_WORDS).toList();
        return Refused.by(table.nodes(), curableNodes, reasons);
    }

    /** The same for a pod to which some of the nodes say something else. */
    Refused refusedWith(Map<Integer, Answer> others) {
        Map<Integer, Optional<Answer>> before = new HashMap<>();
        others.forEach((slot, answer) -> before.put(slot, replace(slot, Optional.of(answer))));
        Refused refused = refused();
        before.forEach(this::replace);
        return refused;
    }

    /** The events that can have one of the nodes take the pods, of those where they have holds. */
    Set<Hint> hintsAtHolds() {
        Set<Hint> found = EnumSet.noneOf(Hint.class);
        found.addAll(hints.keySet());
        return found;
    }

    /** Returns what was there before. */
    private Optional<Answer> replace(int slot, Optional<Answer> now) {
        if (slot >= answers.length) {
            answers = Arrays.copyOf(answers, Math.max(slot + 1, table.bound() + table.bound() / 4));
        }
        Optional<Answer> before = Optional.ofNullable(answers[slot]);
        before.ifPresent(this::subtract);
        now.ifPresent(this::add);
        answers[slot] = now.orElse(null);
        return before;
    }

    private void add(Answer answer) {
        for (Veto veto : answer.vetoes) {
            Sum sum = sums.computeIfAbsent(Reasons.Kind.of(veto), kind -> new Sum());
            sum.said.add(new Said(answer.node, veto));
            sum.keepers.addAll(veto.keepers());
        }
        count(answer, 1);
    }

    private void subtract(Answer answer) {
        for (Veto veto : answer.vetoes) {
            sums.computeIfPresent(Reasons.Kind.of(veto), (kind, sum) -> {
                sum.said.remove(new Said(answer.node, veto));
                veto.keepers().forEach(sum.keepers::remove);
                return sum.said.isEmpty() ? null : sum;
            });
        }
        count(answer, -1);
    }

    private void count(Answer answer, int delta) {
        curableNodes += answer.curable() ? delta : 0;
        for (Veto veto : answer.vetoes) {
            weight += delta * (1 + veto.keepers().size());
        }
        answer.hints.forEach(
                hint -> hints.merge(hint, delta, (before, more) -> before + more == 0 ? null : before + more));
    }
}
