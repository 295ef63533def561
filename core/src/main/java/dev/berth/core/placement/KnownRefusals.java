package dev.berth.core.placement;

import dev.berth.core.placement.Placement.Refused;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What pods were told that no node took, by their kin, as long as the ledger stays as it was: thousands made from one
 * template are refused for what it costs to ask the nodes once.
 */
final class KnownRefusals {
    private static final int MOST = 256;

    private final Map<Kin, Refused> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Kin, Refused> eldest) {
            return size() > MOST;
        }
    };
    private long version = -1;

    /** @param now the ledger's version: what was said of another is forgotten */
    Optional<Refused> find(Kin kin, long now) {
        if (version != now) {
            known.clear();
            version = now;
        }
        return Optional.ofNullable(known.get(kin));
    }

    void keep(Kin kin, Refused refused) {
        known.put(kin, refused);
    }
}
