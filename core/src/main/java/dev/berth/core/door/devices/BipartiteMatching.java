package dev.berth.core.door.devices;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assigns devices to demands: each device to at most one demand that accepts it. Finds an assignment whenever there is
 * one. Free devices go first; then demands exchange devices along shortest augmenting paths (Hopcroft-Karp, where a
 * demand has a count). Tenants write the demands, so the code does not recurse. Deterministic: demands and devices are
 * tried in their order.
 */
final class BipartiteMatching {
    private static final int NONE = -1;

    /**
     * A number of devices out of some candidates.
     *
     * @param devices the candidates, each once, in order of preference
     */
    record Demand(List<String> devices, int count) {
        Demand {
            devices = List.copyOf(devices);
        }
    }

    private final List<String> devices = new ArrayList<>();
    /** By demand, the candidates. */
    private final int[][] candidates;
    /** By demand, how many devices it still lacks. */
    private final int[] unmet;
    /** By device, the demand that has it. */
    private final int[] owner;
    /**
     * By demand, the distance from the demands that lack devices, as of the last search; {@link #NONE} if it was not
     * reached.
     */
    private final int[] level;
    /** By demand, which of its devices is tried next. */
    private final int[] next;

    private BipartiteMatching(List<Demand> demands) {
        int size = demands.size();
        candidates = new int[size][];
        unmet = new int[size];
        level = new int[size];
        next = new int[size];
        Map<String, Integer> numbers = new HashMap<>();
        for (int demand = 0; demand < size; demand++) {
            unmet[demand] = demands.get(demand).count();
            candidates[demand] = demands.get(demand).devices().stream()
                    .mapToInt(device -> numbers.computeIfAbsent(device, this::register))
                    .toArray();
        }
        owner = new int[devices.size()];
        Arrays.fill(owner, NONE);
    }

    private int register(String device) {
        devices.add(device);
        return devices.size() - 1;
    }

    /**
     * Assigns all devices.
     *
     * @return the devices of each demand; empty if some demand would get fewer than it needs
     */
    static Optional<List<List<String>>> solve(List<Demand> demands) {
        BipartiteMatching matching = new BipartiteMatching(demands);
        matching.assignFreeDevices();
        while (matching.hasUnmetDemand()) {
            if (!matching.findAugmentingLevels()) {
                return Optional.empty();
            }
            matching.augment();
        }
        return Optional.of(matching.assignment());
    }

    private void assignFreeDevices() {
        for (int demand = 0; demand < candidates.length; demand++) {
            for (int i = 0; i < candidates[demand].length && unmet[demand] > 0; i++) {
                if (owner[candidates[demand][i]] == NONE) {
                    owner[candidates[demand][i]] = demand;
                    unmet[demand]--;
                }
            }
        }
    }

    private boolean hasUnmetDemand() {
        return Arrays.stream(unmet).anyMatch(missing -> missing > 0);
    }

    /** Levels the demands up to the nearest one with a free candidate. Returns whether there is one. */
    private boolean findAugmentingLevels() {
        Arrays.fill(level, NONE);
        Deque<Integer> reached = new ArrayDeque<>();
        for (int demand = 0; demand < candidates.length; demand++) {
            if (unmet[demand] > 0) {
                level[demand] = 0;
                reached.add(demand);
            }
        }
        int nearest = Integer.MAX_VALUE;
        while (!reached.isEmpty() && level[reached.element()] <= nearest) {
            int demand = reached.remove();
            for (int device : candidates[demand]) {
                int holder = owner[device];
                if (holder == NONE) {
                    nearest = level[demand];
                } else if (level[holder] == NONE) {
                    level[holder] = level[demand] + 1;
                    reached.add(holder);
                }
            }
        }
        return nearest < Integer.MAX_VALUE;
    }

    private void augment() {
        Arrays.fill(next, 0);
        int[] path = new int[candidates.length];
        for (int demand = 0; demand < candidates.length; demand++) {
            boolean found = true;
            while (found && unmet[demand] > 0) {
                found = augment(demand, path);
            }
        }
    }

    /** Follows the levels from the demand to a free device; each demand on the path takes the device of the next. */
    private boolean augment(int start, int[] path) {
        int depth = 0;
        path[0] = start;
        while (depth >= 0) {
            int demand = path[depth];
            if (next[demand] == candidates[demand].length) {
                depth--;
                if (depth >= 0) {
                    next[path[depth]]++;
                }
                continue;
            }
            int holder = owner[candidates[demand][next[demand]]];
            if (holder == NONE) {
                applyPath(path, depth);
                unmet[start]--;
                return true;
            }
            if (level[holder] == level[demand] + 1) {
                depth++;
                path[depth] = holder;
            } else {
                next[demand]++;
            }
        }
        return false;
    }

    private void applyPath(int[] path, int depth) {
        for (int i = depth; i >= 0; i--) {
            owner[candidates[path[i]][next[path[i]]]] = path[i];
            next[path[i]]++;
        }
    }

    private List<List<String>> assignment() {
        List<List<String>> assignment = new ArrayList<>();
        for (int demand = 0; demand < candidates.length; demand++) {
            assignment.add(new ArrayList<>());
        }
        for (int device = 0; device < owner.length; device++) {
            if (owner[device] != NONE) {
                assignment.get(owner[device]).add(devices.get(device));
            }
        }
        return assignment;
    }
}
