package dev.berth.core.door.device;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Gives each of several demands a device of its own, out of those that it would take. Finds a way whenever there is one: a
 * demand that finds all of its devices taken has those before it move on. Deterministic: demands and devices are tried in
 * their order.
 */
final class Matching {
    private final List<List<String>> demands;
    private final Map<String, Integer> takenBy = new HashMap<>();

    private Matching(List<List<String>> demands) {
        this.demands = demands;
    }

    /**
     * Gives each demand its device.
     *
     * @param demands what each of them would take, the better first
     * @return the device of each; empty when not all can have one
     */
    static Optional<List<String>> of(List<List<String>> demands) {
        Matching matching = new Matching(demands);
        for (int demand = 0; demand < demands.size(); demand++) {
            if (!matching.give(demand, new HashSet<>())) {
                return Optional.empty();
            }
        }
        return Optional.of(matching.given());
    }

    private boolean give(int demand, Set<String> tried) {
        for (String device : demands.get(demand)) {
            if (tried.add(device)) {
                Integer other = takenBy.get(device);
                if (other == null || give(other, tried)) {
                    takenBy.put(device, demand);
                    return true;
                }
            }
        }
        return false;
    }

    private List<String> given() {
        String[] given = new String[demands.size()];
        takenBy.forEach((device, demand) -> given[demand] = device);
        return new ArrayList<>(List.of(given));
    }
}
