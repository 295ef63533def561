package dev.berth.app;

import dev.berth.app.run.Berth;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The messages about the addresses on which Berth listens. */
public final class ListenerSummary {
    private ListenerSummary() {}

    /** A sentence for each open listener. */
    public static List<String> describe(Berth berth) {
        return Stream.of(
                        berth.globalReserveUrl().map("Other schedulers reserve capacity by POST %s/reserve"::formatted),
                        berth.extenderUrl()
                                .map(
                                        "A kube-scheduler uses Berth as its extender by urlPrefix %s/api/v1/scheduler"
                                                ::formatted),
                        berth.diagnosticsUrl().map("Health checks: %1$s/readyz, metrics: %1$s/metrics"::formatted))
                .flatMap(Optional::stream)
                .toList();
    }
}
