package dev.berth.app.operation;

import dev.berth.app.config.DoorName;
import dev.berth.http.operation.Check;
import dev.berth.http.operation.Check.Finding;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether all kinds are still being read. One that is not stays in the ledger as it was, however much changes. */
record WatchCheck(Supplier<List<WatchHealth.State>> watches) implements Check.Question {
    @Override
    public Finding ask() {
        List<WatchHealth.State> now = watches.get();
        Map<String, List<WatchHealth.State>> byError = now.stream()
                .filter(WatchHealth.State::failing)
                .collect(Collectors.groupingBy(WatchHealth.State::error, LinkedHashMap::new, Collectors.toList()));
        String failing = byError.values().stream().map(WatchCheck::failing).collect(Collectors.joining("; "));
        if (!failing.isEmpty()) {
            return Finding.ill(failing);
        }
        String unreadable = now.stream()
                .filter(kind -> kind.unreadable() > 0)
                .map(kind -> "%d of %s".formatted(kind.unreadable(), kind.kind()))
                .collect(Collectors.joining(", "));
        String missing = now.stream()
                .filter(WatchHealth.State::missing)
                .map(kind -> missing(kind.kind()))
                .collect(Collectors.joining("; "));
        return Finding.well(Stream.of(
                        missing.isEmpty() ? "" : missing + ". " + Definition.INSTALL,
                        unreadable.isEmpty() ? "" : "objects that cannot be read: " + unreadable)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; ")));
    }

    /** Kinds that fail for the same reason wait for the same thing: the reason is said once. */
    private static String failing(List<WatchHealth.State> kinds) {
        WatchHealth.State first = kinds.get(0);
        if (kinds.size() == 1) {
            return "%s failed %d times in a row: %s".formatted(first.kind(), first.inRow(), first.error());
        }
        int least = kinds.stream().mapToInt(WatchHealth.State::inRow).min().orElse(0);
        return "%d kinds failed at least %d times in a row: %s".formatted(kinds.size(), least, first.error());
    }

    /** A door without its objects does nothing: no reason to take the other doors out of service. */
    private static String missing(String kind) {
        for (DoorName door : DoorName.values()) {
            for (Definition definition : door.kinds()) {
                String name = definition.objectName();
                if (name.equals(kind) || name.startsWith(kind + ".")) {
                    return "no definition of %s: door %s is idle".formatted(name, door);
                }
            }
        }
        return "no definition of %s".formatted(kind);
    }
}
