package dev.berth.http.operation;

import dev.berth.http.Reply;
import dev.berth.http.Router;
import java.util.List;

/** Answers with all metrics. */
public final class MetricsApi {
    private static final int OK = 200;

    private final List<Source> sources;

    /** Something that has metrics. Safe from several threads at once. */
    @FunctionalInterface
    public interface Source {
        void tell(Exposition to) throws InterruptedException;
    }

    public MetricsApi(List<? extends Source> sources) {
        this.sources = List.copyOf(sources);
    }

    public Router addTo(Router router) {
        return router.get("/metrics", asked -> Reply.of(OK, Exposition.CONTENT_TYPE, text()));
    }

    /** What a scrape reads now. */
    public String text() throws InterruptedException {
        Exposition exposition = new Exposition();
        for (Source source : sources) {
            source.tell(exposition);
        }
        return exposition.toString();
    }
}
