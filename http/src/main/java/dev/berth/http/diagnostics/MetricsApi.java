package dev.berth.http.diagnostics;

import dev.berth.http.Router;
import dev.berth.http.ServerResponse;
import java.util.List;

/** Serves all metrics. */
public final class MetricsApi {
    private static final int OK = 200;

    private final List<MetricsCollector> collectors;

    /** Collects metrics. Safe for several threads at once. */
    @FunctionalInterface
    public interface MetricsCollector {
        void collect(PrometheusText to) throws InterruptedException;
    }

    public MetricsApi(List<? extends MetricsCollector> sources) {
        this.collectors = List.copyOf(sources);
    }

    public Router registerOn(Router router) {
        return router.get("/metrics", serverRequest -> ServerResponse.of(OK, PrometheusText.CONTENT_TYPE, text()));
    }

    /** The text of one scrape. */
    public String text() throws InterruptedException {
        PrometheusText prometheusText = new PrometheusText();
        for (MetricsCollector metricsCollector : collectors) {
            metricsCollector.collect(prometheusText);
        }
        return prometheusText.toString();
    }
}
