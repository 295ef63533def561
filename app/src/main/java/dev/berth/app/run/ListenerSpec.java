package dev.berth.app.run;

import dev.berth.app.cli.UserError;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.net.BindException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One listener.
 *
 * @param displayName its name for users
 * @param threadName the name of its threads
 * @param addressSetting the setting that changes its address
 * @param portSetting the setting that changes its port
 * @param fallbackToFreePort whether a free port is used if this one is in use
 */
record ListenerSpec(
        String displayName,
        String threadName,
        String addressSetting,
        String portSetting,
        ListenerSettings listenerSettings,
        boolean fallbackToFreePort) {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerSpec.class);

    HttpListener start(Router router, ByteBudget budget) {
        try {
            HttpListener listener = HttpListener.start(threadName, listenerSettings, router, budget);
            if (listenerSettings.isRemotelyReachable()) {
                LOG.warn(
                        "{} listens on port {} of {} without authentication: every client that can connect can use it",
                        displayName,
                        listener.port(),
                        listenerSettings.address());
            } else {
                LOG.debug("{} listens on {}, for this machine only", displayName, listener.url());
            }
            return listener;
        } catch (BindException broken) {
            if (!listenerSettings.isLocalAddress()) {
                throw UserError.invalidSetting(
                        "%s cannot listen: %s (%s) is not an address of this machine: %s. Maybe %s"
                                .formatted(
                                        displayName,
                                        addressSetting,
                                        listenerSettings.address(),
                                        broken.getMessage(),
                                        ListenerSettings.LOOPBACK),
                        broken);
            }
            return startOnFreePort(router, budget, broken);
        } catch (IOException broken) {
            throw UserError.failed(
                    "%s cannot listen at %s (%s): %s"
                            .formatted(displayName, addressSetting, listenerSettings.address(), broken.getMessage()),
                    broken);
        }
    }

    /** The address is usable, so the port is the problem. */
    private HttpListener startOnFreePort(Router router, ByteBudget budget, BindException taken) {
        if (fallbackToFreePort) {
            LOG.info("port {} is in use: {} uses a free port", listenerSettings.port(), displayName);
            return new ListenerSpec(
                            displayName, threadName, addressSetting, portSetting, listenerSettings.withPort(0), false)
                    .start(router, budget);
        }
        throw UserError.failed(
                "%s cannot listen on port %d of %s: %s. Maybe set another port by %s; 0 uses any free port"
                        .formatted(
                                displayName,
                                listenerSettings.port(),
                                listenerSettings.address(),
                                taken.getMessage(),
                                portSetting),
                taken);
    }
}
