package dev.berth.app.run;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.app.config.ExtenderSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.http.HttpListener;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.ExtenderEndpoints;
import dev.berth.http.globalreserve.ReserveEndpoints;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The HTTP listeners of Berth, as far as they are enabled. */
final class HttpServers implements AutoCloseable {
    private final List<HttpListener> listeners = new ArrayList<>();
    /** One budget for all of them: none can use the memory that the others and the ledger need. */
    private final ByteBudget budget;

    private final Optional<String> globalReserveUrl;
    private final Optional<String> extenderUrl;
    private final Optional<String> diagnosticsUrl;

    /**
     * The APIs to serve.
     *
     * @param diagnostics health checks and metrics
     */
    record Handlers(ReserveService reserveService, Extender extender, Router diagnostics) {}

    private HttpServers(Config config, ByteBudget budget, Handlers handlers) {
        this.budget = budget;
        globalReserveUrl = globalReserveApi(config.doors().globalReserveApi(), handlers.reserveService());
        extenderUrl = extender(config.http().extender(), handlers.extender());
        diagnosticsUrl = diagnostics(config.diagnostics(), handlers.diagnostics());
    }

    /** Opens the enabled listeners, or none if one of them cannot listen. */
    static HttpServers start(Config config, ByteBudget budget, Handlers handlers) {
        return new HttpServers(config, budget, handlers);
    }

    private Optional<String> globalReserveApi(GlobalReserveApiSettings settings, ReserveService pool) {
        String setting = "globalreserve.api.port (berth run) or --globalreserve-port (berth up)";
        return startIfEnabled(
                settings.enabled(),
                new ListenerSpec(
                        "the Reserve API",
                        "berth-globalreserve",
                        "globalreserve.api.bindAddress",
                        setting,
                        settings.listener(),
                        settings.fallbackToFreePort()),
                new ReserveEndpoints(pool, new JsonPodReader()::read).addTo(new Router()));
    }

    private Optional<String> extender(ExtenderSettings settings, Extender extender) {
        return startIfEnabled(
                settings.enabled(),
                new ListenerSpec(
                        "the extender",
                        "berth-extender",
                        "extender.bindAddress",
                        "extender.port",
                        settings.listener(),
                        false),
                new ExtenderEndpoints(extender, new JsonPodReader()::read).addTo(new Router()));
    }

    private Optional<String> diagnostics(DiagnosticsSettings settings, Router router) {
        return startIfEnabled(
                settings.enabled(),
                new ListenerSpec(
                        "the diagnostics port",
                        "berth-diagnostics",
                        "diagnostics.bindAddress",
                        "diagnostics.port",
                        settings.listener(),
                        settings.fallbackToFreePort()),
                router);
    }

    private Optional<String> startIfEnabled(boolean enabled, ListenerSpec listenerSpec, Router router) {
        if (!enabled) {
            return Optional.empty();
        }
        try {
            HttpListener listener = listenerSpec.start(router, budget);
            listeners.add(listener);
            return Optional.of(listener.url());
        } catch (UserError taken) {
            close();
            throw taken;
        }
    }

    Optional<String> globalReserveUrl() {
        return globalReserveUrl;
    }

    Optional<String> extenderUrl() {
        return extenderUrl;
    }

    Optional<String> diagnosticsUrl() {
        return diagnosticsUrl;
    }

    @Override
    public void close() {
        listeners.forEach(HttpListener::close);
    }
}
