package dev.berth.app.diagnostics;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.leaderelection.SchedulerLeaseWatcher.BlockedName;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Says which scheduler names Berth leaves to their own schedulers. This is no failure, unless Berth cannot read the Lease
 * that shows it.
 */
final class SchedulerLeaseCheck {
    private final Supplier<Map<String, BlockedName>> blockedNames;

    SchedulerLeaseCheck(Supplier<Map<String, BlockedName>> blockedNames) {
        this.blockedNames = blockedNames;
    }

    HealthStatus healthStatus() {
        Map<String, BlockedName> names = blockedNames.get();
        String message = names.entrySet().stream()
                .map(entry -> "schedulerName %s is not served: %s".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("; "));
        return names.values().stream().allMatch(BlockedName::certain)
                ? HealthStatus.healthy(message)
                : HealthStatus.unhealthy(message);
    }
}
