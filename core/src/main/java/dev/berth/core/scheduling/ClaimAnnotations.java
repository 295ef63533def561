package dev.berth.core.scheduling;

import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The annotations that a bind writes for the hold that the pod uses: Berth's own, which are the same for every door,
 * and those of the hold's door. A pod that uses a drawing hold claims the source of that hold. The drawing holds end
 * with the bind, and the record names them.
 */
final class ClaimAnnotations {
    private ClaimAnnotations() {}

    static Map<String, String> forHold(LedgerView ledger, Optional<HoldId> used) {
        Map<String, String> record = new TreeMap<>();
        List<Hold> chain = drawChain(ledger, used);
        if (!chain.isEmpty()) {
            chain.forEach(hold -> record.putAll(hold.bindAnnotations()));
            List<HoldId> drawing =
                    chain.subList(0, chain.size() - 1).stream().map(Hold::id).toList();
            record.putAll(Claim.bindAnnotations(chain.get(chain.size() - 1).id(), drawing));
        }
        return record;
    }

    /** The hold, its source, and so on. */
    private static List<Hold> drawChain(LedgerView ledger, Optional<HoldId> used) {
        Map<HoldId, Hold> chain = new LinkedHashMap<>();
        Optional<HoldState> next = used.flatMap(ledger::holdState);
        while (next.isPresent() && !chain.containsKey(next.get().hold().id())) {
            chain.put(next.get().hold().id(), next.get().hold());
            next = next.get().draws().source().flatMap(ledger::holdState);
        }
        return new ArrayList<>(chain.values());
    }
}
