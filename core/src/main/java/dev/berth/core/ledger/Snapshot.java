package dev.berth.core.ledger;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ledger as it was at one moment, for readers on any thread. It never changes; what the ledger has not changed
 * since is shared with it.
 */
public final class Snapshot extends BooksView {
    private final Slots.Table nodes;
    private final TrieMap<String, Integer> slotsByName;
    private final Books books;
    private final OptionalInt lowestPriority;
    private final Age age;

    /**
     * Which moment it was.
     *
     * @param version of the last change that placement hears of
     * @param generation grows with everything the ledger takes in
     */
    record Age(long version, long generation) {}

    Snapshot(
            Slots.Table nodes, TrieMap<String, Integer> slotsByName, Books books, OptionalInt lowestPriority, Age age) {
        this.nodes = nodes;
        this.slotsByName = slotsByName;
        this.books = books;
        this.lowestPriority = lowestPriority;
        this.age = age;
    }

    @Override
    public OptionalInt lowestPriority() {
        return lowestPriority;
    }

    /** Grows with everything the ledger takes in; equal generations of one ledger are equal snapshots. */
    public long generation() {
        return age.generation();
    }

    @Override
    Books books() {
        return books;
    }

    @Override
    public int slotBound() {
        return nodes.bound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return nodes.get(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        @Nullable Integer slot = slotsByName.get(name);
        return slot == null ? Optional.empty() : nodes.get(slot);
    }

    @Override
    public int nodeCount() {
        return nodes.count();
    }

    @Override
    public long version() {
        return age.version();
    }

    /** A snapshot remembers no changes: it can only say that there were none. */
    @Override
    public boolean changesSince(long since, Changes changes) {
        return since == age.version();
    }

    /** Every node, in the order of the slots. */
    public void forEachNode(Consumer<NodeState> visitor) {
        for (int slot = 0; slot < nodes.bound(); slot++) {
            nodes.get(slot).ifPresent(visitor);
        }
    }

    /** Every pod, bound or not, in no order that means anything. */
    public void forEachPod(Consumer<Pod> visitor) {
        books.pods().forEach((uid, pod) -> visitor.accept(pod));
    }

    /** Every hold, on known nodes or not, in no order that means anything. */
    public void forEachHold(Consumer<HoldState> visitor) {
        books.holds().forEach((id, state) -> visitor.accept(state));
    }

    public LedgerFacts facts() {
        List<Node> all = new ArrayList<>(nodes.count());
        forEachNode(state -> all.add(state.node()));
        return books.facts(all);
    }
}
