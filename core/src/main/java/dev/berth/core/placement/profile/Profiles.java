package dev.berth.core.placement.profile;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The profiles by scheduler name.
 *
 * @param byName sorted by name
 * @param fallback the profile for pods of schedulers without a profile
 */
public record Profiles(Map<String, Profile> byName, Profile fallback) {
    /** The default profile for all pods. */
    public static final Profiles DEFAULT = new Profiles(Map.of(), Profile.DEFAULT);

    public Profiles {
        if (byName.containsKey("")) {
            throw new IllegalArgumentException("a profile has no schedulerName: set one, such as berth-scheduler");
        }
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    /** The same profile for all pods. */
    public static Profiles forAllPods(Profile profile) {
        return new Profiles(Map.of(), profile);
    }

    /** The same profile for all of these schedulers. */
    public static Profiles forSchedulers(Collection<String> names, Profile profile) {
        Map<String, Profile> all = new TreeMap<>();
        names.forEach(name -> all.put(name, profile));
        return new Profiles(all, Profile.DEFAULT);
    }

    public Profile get(String schedulerName) {
        return byName.getOrDefault(schedulerName, fallback);
    }

    public Set<String> schedulerNames() {
        return byName.keySet();
    }
}
