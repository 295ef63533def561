package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The token of an exec plugin. It is refreshed in the background before it expires, so that no request waits for a
 * program.
 */
final class ExecCredentials implements Credentials {
    private static final Logger LOG = LoggerFactory.getLogger(ExecCredentials.class);
    private static final Duration RENEW_BEFORE_EXPIRY = Duration.ofMinutes(1);

    private final ExecPlugin plugin;
    private final InstantSource clock;
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "berth-credentials");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicBoolean renewing = new AtomicBoolean();
    private volatile ExecPlugin.ExecToken token;

    private ExecCredentials(ExecPlugin plugin, InstantSource clock, ExecPlugin.ExecToken first) {
        this.plugin = plugin;
        this.clock = clock;
        this.token = first;
    }

    /** Fetches the first token before it returns. */
    static ExecCredentials start(ExecPlugin plugin, InstantSource clock) throws ClientConfigException {
        try {
            return new ExecCredentials(plugin, clock, plugin.run());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClientConfigException("interrupted while the exec plugin ran", interrupted);
        }
    }

    @Override
    public Optional<String> authorization() {
        Optional<Instant> expires = token.expiresAt();
        if (expires.isPresent() && clock.instant().isAfter(expires.get().minus(RENEW_BEFORE_EXPIRY))) {
            renew();
        }
        return Optional.of(Credentials.bearerHeader(token.value()));
    }

    @Override
    public void onUnauthorized() {
        renew();
    }

    @Override
    public String advice() {
        return Credentials.rejectedAdvice(
                "program %s of kubeconfig (%s)".formatted(plugin.command().get(0), plugin.kubeconfig()),
                "Run the program by hand, and log in with it if it asks for that: Berth runs it again");
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private void renew() {
        if (!renewing.compareAndSet(false, true)) {
            return;
        }
        try {
            executor.execute(() -> {
                try {
                    token = plugin.run();
                } catch (ClientConfigException failed) {
                    LOG.warn("{}. Berth continues with the current token", failed.getMessage());
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                } finally {
                    renewing.set(false);
                }
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("no new token: the credentials are closed", closed);
        }
    }
}
