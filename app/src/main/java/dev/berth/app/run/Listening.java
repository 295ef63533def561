package dev.berth.app.run;

import dev.berth.app.UserError;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.net.BindException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thing that listens.
 *
 * @param called what people call it
 * @param threads what its threads are called
 * @param addressSetting what they set to have it at another address
 * @param portSetting what they set to have it at another port
 * @param elseAnyFree whether any free port will do where this one is taken
 */
record Listening(
        String called,
        String threads,
        String addressSetting,
        String portSetting,
        ListenerSettings where,
        boolean elseAnyFree) {
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

    HttpListener begin(Router router, ByteBudget budget) {
        try {
            HttpListener listener = HttpListener.start(threads, where, router, budget);
            if (where.open()) {
                LOG.warn(
                        "{} listens on port {} of {} for whoever reaches it: it asks nobody who they are",
                        called,
                        listener.port(),
                        where.address());
            } else {
                LOG.debug("{} listens on {}, for this machine alone", called, listener.url());
            }
            return listener;
        } catch (BindException broken) {
            if (!where.addressIsHere()) {
                throw UserError.setting(
                        "%s cannot listen: %s (%s) is no address of this machine: %s. Maybe %s"
                                .formatted(
                                        called,
                                        addressSetting,
                                        where.address(),
                                        broken.getMessage(),
                                        ListenerSettings.LOOPBACK),
                        broken);
            }
            return elsewhere(router, budget, broken);
        } catch (IOException broken) {
            throw UserError.failed(
                    "%s cannot listen at %s (%s): %s"
                            .formatted(called, addressSetting, where.address(), broken.getMessage()),
                    broken);
        }
    }

    /** The address will do, so it is the port that cannot be had. */
    private HttpListener elsewhere(Router router, ByteBudget budget, BindException taken) {
        if (elseAnyFree) {
            LOG.info("port {} is taken: {} takes a free one", where.port(), called);
            return new Listening(called, threads, addressSetting, portSetting, where.onPort(0), false)
                    .begin(router, budget);
        }
        throw UserError.failed(
                "%s cannot listen on port %d of %s: %s. Maybe choose another by %s; 0 takes any free one"
                        .formatted(called, where.port(), where.address(), taken.getMessage(), portSetting),
                taken);
    }
}
