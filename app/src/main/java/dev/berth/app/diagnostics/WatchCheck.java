package dev.berth.app.diagnostics;

import dev.berth.core.hold.Origin.DoorId;
import dev.berth.http.diagnostics.HealthCheck;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks whether all kinds are still watched. A kind that is not watched stays in the ledger as it was. */
record WatchCheck(Supplier<List<WatchHealth.WatchStatus>> watches) implements HealthCheck.Probe {
    @Override
    public HealthStatus run() {
        List<WatchHealth.WatchStatus> now = watches.get();
        Map<String, List<WatchHealth.WatchStatus>> byError = now.stream()
                .filter(WatchHealth.WatchStatus::isFailing)
                .collect(Collectors.groupingBy(
                        WatchHealth.WatchStatus::lastError, LinkedHashMap::new, Collectors.toList()));
        String failing = byError.values().stream().map(WatchCheck::failing).collect(Collectors.joining("; "));
        if (!failing.isEmpty()) {
            return HealthStatus.unhealthy(failing);
        }
        String unreadable = now.stream()
                .filter(kind -> kind.unreadableObjects() > 0)
                .map(kind -> "%d of %s".formatted(kind.unreadableObjects(), kind.kind()))
                .collect(Collectors.joining(", "));
        String missing = now.stream()
                .filter(WatchHealth.WatchStatus::kindMissing)
                .map(kind -> missing(kind.kind()))
                .collect(Collectors.joining("; "));
        return HealthStatus.healthy(Stream.of(
                        missing.isEmpty() ? "" : missing + ". " + CrdManifest.INSTALL_HINT,
                        unreadable.isEmpty() ? "" : "objects that cannot be read: " + unreadable)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; ")));
    }

    /** Kinds with the same error are reported together. */
    private static String failing(List<WatchHealth.WatchStatus> kinds) {
        WatchHealth.WatchStatus first = kinds.get(0);
        if (kinds.size() == 1) {
            return "%s failed %d times in a row: %s"
                    .formatted(first.kind(), first.consecutiveFailures(), first.lastError());
        }
        int least = kinds.stream()
                .mapToInt(WatchHealth.WatchStatus::consecutiveFailures)
                .min()
                .orElse(0);
        return "%d kinds failed at least %d times in a row: %s".formatted(kinds.size(), least, first.lastError());
    }

    /** A door without its objects does nothing: this is no reason to fail the check for the other doors. */
    private static String missing(String kind) {
        for (DoorId door : DoorId.values()) {
            for (CrdManifest crdManifest : CrdManifest.forDoor(door)) {
                String name = crdManifest.crdName();
                if (name.equals(kind) || name.startsWith(kind + ".")) {
                    return "CustomResourceDefinition %s is not installed: door %s is idle".formatted(name, door);
                }
            }
        }
        return "CustomResourceDefinition %s is not installed".formatted(kind);
    }
}
