package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.http.HttpListener;
import dev.berth.http.Router;
import dev.berth.http.reserve.ReserveApi;
import dev.berth.kubernetes.door.reserve.JsonPods;
import java.io.IOException;
import java.net.BindException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the Reserve API, where it is wanted. */
final class ReserveListener {
    private static final Logger LOG = LoggerFactory.getLogger(ReserveListener.class);
    private static final String THREADS = "berth-reserve";

    private ReserveListener() {}

    static Optional<HttpListener> open(ReserveApiSettings settings, ReservePool pool) {
        if (!settings.enabled()) {
            return Optional.empty();
        }
        Router router = new ReserveApi(pool, new JsonPods()::read).addTo(new Router());
        HttpListener listener = listen(settings, router);
        if (settings.listener().open()) {
            LOG.warn(
                    "the Reserve API listens on {}:{} for whoever reaches it: it asks nobody who they are",
                    settings.address(),
                    listener.port());
        } else {
            LOG.debug("the Reserve API listens on {}, for this machine alone", listener.url());
        }
        return Optional.of(listener);
    }

    private static HttpListener listen(ReserveApiSettings settings, Router router) {
        try {
            return HttpListener.start(THREADS, settings.listener(), router);
        } catch (BindException taken) {
            if (settings.elseAnyFree()) {
                LOG.warn("port {} is taken: the Reserve API takes a free one", settings.port());
                return listen(settings.onAnyPort(), router);
            }
            throw UserError.failed(
                    ("the Reserve API cannot listen on port %d of %s: %s. Maybe choose another by reserveApi.port (berth run) "
                                    + "or --reserve-port (berth up); 0 takes any free one")
                            .formatted(settings.port(), settings.address(), taken.getMessage()),
                    taken);
        } catch (IOException broken) {
            throw UserError.failed("the Reserve API cannot listen: " + broken.getMessage(), broken);
        }
    }
}
