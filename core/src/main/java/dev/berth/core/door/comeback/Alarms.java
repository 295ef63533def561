package dev.berth.core.door.comeback;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** When which object is to be looked at again though nothing is heard of it: one time for each. */
final class Alarms {
    private record Alarm(Instant at, String about) {}

    private final TreeSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparing(Alarm::at).thenComparing(Alarm::about));
    private final Map<String, Alarm> byObject = new HashMap<>();

    void set(String about, Instant at) {
        clear(about);
        Alarm alarm = new Alarm(at, about);
        alarms.add(alarm);
        byObject.put(about, alarm);
    }

    void clear(String about) {
        Alarm alarm = byObject.remove(about);
        if (alarm != null) {
            alarms.remove(alarm);
        }
    }

    boolean isSet(String about) {
        return byObject.containsKey(about);
    }

    /** Those whose time has come, earliest first; they ring once. */
    List<String> ringing(Instant now) {
        List<String> ringing = new ArrayList<>();
        while (!alarms.isEmpty() && !alarms.first().at().isAfter(now)) {
            String about = alarms.first().about();
            clear(about);
            ringing.add(about);
        }
        return ringing;
    }

    Optional<Instant> next() {
        return alarms.isEmpty() ? Optional.empty() : Optional.of(alarms.first().at());
    }
}
