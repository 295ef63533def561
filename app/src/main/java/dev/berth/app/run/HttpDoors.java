package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.ExtenderSettings;
import dev.berth.app.config.OperationSettings;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.http.HttpListener;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.ExtenderApi;
import dev.berth.http.reserve.ReserveApi;
import dev.berth.kubernetes.door.reserve.JsonPods;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What Berth answers over HTTP, as far as it is wanted. Open until it is closed. */
final class HttpDoors implements AutoCloseable {
    private final List<HttpListener> listeners = new ArrayList<>();
    /** One for all of them: none can take the memory that the others and the ledger need. */
    private final ByteBudget budget;

    private final Optional<String> reserveUrl;
    private final Optional<String> extenderUrl;
    private final Optional<String> operationUrl;

    /**
     * What is answered.
     *
     * @param operation how Berth is, and its metrics
     */
    record Answers(ReservePool pool, Extender extender, Router operation) {}

    private HttpDoors(Config config, ByteBudget budget, Answers answers) {
        this.budget = budget;
        reserveUrl = reserveApi(config.doors().reserveApi(), answers.pool());
        extenderUrl = extender(config.doors().extender(), answers.extender());
        operationUrl = operation(config.operation(), answers.operation());
    }

    /** Opens those that are wanted, or none where one of them cannot listen. */
    static HttpDoors open(Config config, ByteBudget budget, Answers answers) {
        return new HttpDoors(config, budget, answers);
    }

    private Optional<String> reserveApi(ReserveApiSettings settings, ReservePool pool) {
        String setting = "reserveApi.port (berth run) or --reserve-port (berth up)";
        return begin(
                settings.enabled(),
                new Listening(
                        "the Reserve API",
                        "berth-reserve",
                        "reserveApi.address",
                        setting,
                        settings.listener(),
                        settings.elseAnyFree()),
                new ReserveApi(pool, new JsonPods()::read).addTo(new Router()));
    }

    private Optional<String> extender(ExtenderSettings settings, Extender extender) {
        return begin(
                settings.enabled(),
                new Listening(
                        "the extender",
                        "berth-extender",
                        "extender.address",
                        "extender.port",
                        settings.listener(),
                        false),
                new ExtenderApi(extender, new JsonPods()::read).addTo(new Router()));
    }

    private Optional<String> operation(OperationSettings settings, Router router) {
        return begin(
                settings.enabled(),
                new Listening(
                        "the server of health and metrics",
                        "berth-operation",
                        "operation.address",
                        "operation.port",
                        settings.listener(),
                        settings.elseAnyFree()),
                router);
    }

    private Optional<String> begin(boolean wanted, Listening what, Router router) {
        if (!wanted) {
            return Optional.empty();
        }
        try {
            HttpListener listener = what.begin(router, budget);
            listeners.add(listener);
            return Optional.of(listener.url());
        } catch (UserError taken) {
            close();
            throw taken;
        }
    }

    Optional<String> reserveUrl() {
        return reserveUrl;
    }

    Optional<String> extenderUrl() {
        return extenderUrl;
    }

    Optional<String> operationUrl() {
        return operationUrl;
    }

    @Override
    public void close() {
        listeners.forEach(HttpListener::close);
    }
}
