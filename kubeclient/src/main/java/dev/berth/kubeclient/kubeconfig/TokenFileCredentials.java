package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
import dev.berth.kubeclient.pem.FileOrInlineData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A token in a file that is renewed, as the kubelet does for service accounts: read again every minute. */
final class TokenFileCredentials implements Credentials {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFileCredentials.class);
    private static final Duration REREAD_INTERVAL = Duration.ofMinutes(1);

    private final FileOrInlineData file;
    private final InstantSource clock;
    private volatile CachedToken cached;

    private record CachedToken(String header, Instant readAt) {}

    TokenFileCredentials(FileOrInlineData file, InstantSource clock) throws ClientConfigException {
        this.file = file;
        this.clock = clock;
        this.cached = cachedToken();
    }

    @Override
    public Optional<String> authorization() {
        CachedToken current = cached;
        if (clock.instant().isBefore(current.readAt.plus(REREAD_INTERVAL))) {
            return Optional.of(current.header);
        }
        try {
            cached = cachedToken();
        } catch (ClientConfigException unreadable) {
            LOG.warn("{}. Berth continues with the token that it read at {}", unreadable.getMessage(), current.readAt);
        }
        return Optional.of(cached.header);
    }

    @Override
    public void onUnauthorized() {
        cached = new CachedToken(cached.header, Instant.MIN);
    }

    @Override
    public String advice() {
        return Credentials.rejectedAdvice(file.description(), "Write a valid token there: Berth reads the file again");
    }

    private CachedToken cachedToken() throws ClientConfigException {
        String token = new String(file.bytes(), StandardCharsets.UTF_8).strip();
        if (token.isEmpty()) {
            throw new ClientConfigException("%s is empty".formatted(file.description()));
        }
        return new CachedToken(Credentials.bearerHeader(token), clock.instant());
    }
}
