package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.ExtenderSettings;
import dev.berth.http.HttpListener;
import dev.berth.http.Router;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.ExtenderApi;
import dev.berth.kubernetes.door.reserve.JsonPods;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the extender, where it is wanted. */
final class ExtenderListener {
    private static final Logger LOG = LoggerFactory.getLogger(ExtenderListener.class);

    private ExtenderListener() {}

    static Optional<HttpListener> open(ExtenderSettings settings, Extender extender) {
        if (!settings.enabled()) {
            return Optional.empty();
        }
        Router router = new ExtenderApi(extender, new JsonPods()::read).addTo(new Router());
        try {
            HttpListener listener = HttpListener.start("berth-extender", settings.listener(), router);
            if (settings.listener().open()) {
                LOG.warn(
                        "the extender listens on {}:{} for whoever reaches it: it asks nobody who they are",
                        settings.address(),
                        listener.port());
            } else {
                LOG.info("the extender listens on {}, for this machine alone", listener.url());
            }
            return Optional.of(listener);
        } catch (IOException broken) {
            throw UserError.failed(
                    "the extender cannot listen on port %d of %s: %s. Maybe choose another by extender.port; 0 takes any free one"
                            .formatted(settings.port(), settings.address(), broken.getMessage()),
                    broken);
        }
    }
}
