package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.ExtenderSettings;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.core.door.reserve.ReservePool;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.ExtenderApi;
import dev.berth.http.reserve.ReserveApi;
import dev.berth.kubernetes.door.reserve.JsonPods;
import java.io.IOException;
import java.net.BindException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What Berth answers over HTTP, as far as it is wanted. Open until it is closed. */
final class HttpDoors implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpDoors.class);

    private final Optional<HttpListener> reserveApi;
    private final Optional<HttpListener> extender;

    private HttpDoors(Optional<HttpListener> reserveApi, Optional<HttpListener> extender) {
        this.reserveApi = reserveApi;
        this.extender = extender;
    }

    /**
     * One thing that listens.
     *
     * @param called what people call it
     * @param threads what its threads are called
     * @param setting what they set to have it at another port
     */
    private record Listening(String called, String threads, String setting, ListenerSettings where) {}

    /** Opens those that are wanted, or none where one of them cannot listen. */
    static HttpDoors open(DoorSettings doors, ReservePool pool, Extender extender) {
        Optional<HttpListener> reserveApi = reserveApi(doors.reserveApi(), pool);
        try {
            return new HttpDoors(reserveApi, extender(doors.extender(), extender));
        } catch (UserError taken) {
            reserveApi.ifPresent(HttpListener::close);
            throw taken;
        }
    }

    private static Optional<HttpListener> reserveApi(ReserveApiSettings settings, ReservePool pool) {
        if (!settings.enabled()) {
            return Optional.empty();
        }
        Router router = new ReserveApi(pool, new JsonPods()::read).addTo(new Router());
        String setting = "reserveApi.port (berth run) or --reserve-port (berth up)";
        Listening wanted = new Listening("the Reserve API", "berth-reserve", setting, settings.listener());
        return Optional.of(listen(wanted, router, settings.elseAnyFree()));
    }

    private static Optional<HttpListener> extender(ExtenderSettings settings, Extender extender) {
        if (!settings.enabled()) {
            return Optional.empty();
        }
        Router router = new ExtenderApi(extender, new JsonPods()::read).addTo(new Router());
        Listening wanted = new Listening("the extender", "berth-extender", "extender.port", settings.listener());
        return Optional.of(listen(wanted, router, false));
    }

    private static HttpListener listen(Listening wanted, Router router, boolean elseAnyFree) {
        ListenerSettings where = wanted.where();
        try {
            HttpListener listener = HttpListener.start(wanted.threads(), where, router);
            if (where.open()) {
                LOG.warn(
                        "{} listens on {}:{} for whoever reaches it: it asks nobody who they are",
                        wanted.called(),
                        where.address(),
                        listener.port());
            } else {
                LOG.debug("{} listens on {}, for this machine alone", wanted.called(), listener.url());
            }
            return listener;
        } catch (BindException taken) {
            if (elseAnyFree) {
                LOG.warn("port {} is taken: {} takes a free one", where.port(), wanted.called());
                ListenerSettings anyFree = where.onPort(0);
                return listen(
                        new Listening(wanted.called(), wanted.threads(), wanted.setting(), anyFree), router, false);
            }
            throw UserError.failed(
                    "%s cannot listen on port %d of %s: %s. Maybe choose another by %s; 0 takes any free one"
                            .formatted(
                                    wanted.called(),
                                    where.port(),
                                    where.address(),
                                    taken.getMessage(),
                                    wanted.setting()),
                    taken);
        } catch (IOException broken) {
            throw UserError.failed("%s cannot listen: %s".formatted(wanted.called(), broken.getMessage()), broken);
        }
    }

    Optional<String> reserveUrl() {
        return reserveApi.map(HttpListener::url);
    }

    Optional<String> extenderUrl() {
        return extender.map(HttpListener::url);
    }

    @Override
    public void close() {
        reserveApi.ifPresent(HttpListener::close);
        extender.ifPresent(HttpListener::close);
    }
}
