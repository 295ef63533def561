package dev.berth.core.door.device;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives each of several demands devices of its own, out of those that it would take. Finds a way whenever there is one:
 * free devices go first, and then demands exchange devices along shortest augmenting paths (Hopcroft-Karp, where a demand
 * has a count). Tenants write the demands: nothing here recurses. Deterministic: demands and devices are tried in their
 * order.
 */
final class Matching {
    private static final int NONE = -1;

    /**
     * So many devices out of some.
     *
     * @param devices what would do, each once, the better first
     */
    record Demand(List<String> devices, int count) {
        Demand {
            devices = List.copyOf(devices);
        }
    }

    private final List<String> devices = new ArrayList<>();
    /** By demand, the devices that would do. */
    private final int[][] takes;
    /** By demand, how many devices it still lacks. */
    private final int[] lacks;
    /** By device, the demand that has it. */
    private final int[] owner;
    /** By demand, how far it is from those that lack something, as of the last search; {@link #NONE} where it is not. */
    private final int[] level;
    /** By demand, which of its devices is tried next. */
    private final int[] next;

    private Matching(List<Demand> demands) {
        int size = demands.size();
        takes = new int[size][];
        lacks = new int[size];
        level = new int[size];
        next = new int[size];
        Map<String, Integer> numbers = new HashMap<>();
        for (int demand = 0; demand < size; demand++) {
            lacks[demand] = demands.get(demand).count();
            takes[demand] = demands.get(demand).devices().stream()
                    .mapToInt(device -> numbers.computeIfAbsent(device, this::number))
                    .toArray();
        }
        owner = new int[devices.size()];
        Arrays.fill(owner, NONE);
    }

    private int number(String device) {
        devices.add(device);
        return devices.size() - 1;
    }

    /**
     * Gives each demand its devices.
     *
     * @return the devices of each; empty when not all can have as many as they ask for
     */
    static Optional<List<List<String>>> of(List<Demand> demands) {
        Matching matching = new Matching(demands);
        matching.giveFree();
        while (matching.isLacking()) {
            if (!matching.findPaths()) {
                return Optional.empty();
            }
            matching.exchange();
        }
        return Optional.of(matching.given());
    }

    private void giveFree() {
        for (int demand = 0; demand < takes.length; demand++) {
            for (int i = 0; i < takes[demand].length && lacks[demand] > 0; i++) {
                if (owner[takes[demand][i]] == NONE) {
                    owner[takes[demand][i]] = demand;
                    lacks[demand]--;
                }
            }
        }
    }

    private boolean isLacking() {
        return Arrays.stream(lacks).anyMatch(lack -> lack > 0);
    }

    /** Levels the demands up to the nearest that finds a free device; says whether there is one. */
    private boolean findPaths() {
        Arrays.fill(level, NONE);
        Deque<Integer> reached = new ArrayDeque<>();
        for (int demand = 0; demand < takes.length; demand++) {
            if (lacks[demand] > 0) {
                level[demand] = 0;
                reached.add(demand);
            }
        }
        int nearest = Integer.MAX_VALUE;
        while (!reached.isEmpty() && level[reached.element()] <= nearest) {
            int demand = reached.remove();
            for (int device : takes[demand]) {
                int has = owner[device];
                if (has == NONE) {
                    nearest = level[demand];
                } else if (level[has] == NONE) {
                    level[has] = level[demand] + 1;
                    reached.add(has);
                }
            }
        }
        return nearest < Integer.MAX_VALUE;
    }

    private void exchange() {
        Arrays.fill(next, 0);
        int[] path = new int[takes.length];
        for (int demand = 0; demand < takes.length; demand++) {
            boolean found = true;
            while (found && lacks[demand] > 0) {
                found = exchange(demand, path);
            }
        }
    }

    /** Follows the levels from the demand to a free device; each demand on the path takes the device of the next. */
    private boolean exchange(int start, int[] path) {
        int depth = 0;
        path[0] = start;
        while (depth >= 0) {
            int demand = path[depth];
            if (next[demand] == takes[demand].length) {
                depth--;
                if (depth >= 0) {
                    next[path[depth]]++;
                }
                continue;
            }
            int has = owner[takes[demand][next[demand]]];
            if (has == NONE) {
                take(path, depth);
                lacks[start]--;
                return true;
            }
            if (level[has] == level[demand] + 1) {
                depth++;
                path[depth] = has;
            } else {
                next[demand]++;
            }
        }
        return false;
    }

    private void take(int[] path, int depth) {
        for (int i = depth; i >= 0; i--) {
            owner[takes[path[i]][next[path[i]]]] = path[i];
            next[path[i]]++;
        }
    }

    private List<List<String>> given() {
        List<List<String>> given = new ArrayList<>();
        for (int demand = 0; demand < takes.length; demand++) {
            given.add(new ArrayList<>());
        }
        for (int device = 0; device < owner.length; device++) {
            if (owner[device] != NONE) {
                given.get(owner[device]).add(devices.get(device));
            }
        }
        return given;
    }
}
