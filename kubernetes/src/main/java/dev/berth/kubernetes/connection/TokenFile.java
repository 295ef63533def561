package dev.berth.kubernetes.connection;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A token in a file that somebody renews, as the kubelet does for service accounts: read again every minute. */
final class TokenFile implements Credentials {
    private static final Logger LOG = LoggerFactory.getLogger(TokenFile.class);
    private static final Duration READ_AGAIN_AFTER = Duration.ofMinutes(1);

    private final Material file;
    private final InstantSource clock;
    private volatile Read last;

    private record Read(String header, Instant at) {}

    TokenFile(Material file, InstantSource clock) throws UnusableAccess {
        this.file = file;
        this.clock = clock;
        this.last = read();
    }

    @Override
    public Optional<String> authorization() {
        Read known = last;
        if (clock.instant().isBefore(known.at.plus(READ_AGAIN_AFTER))) {
            return Optional.of(known.header);
        }
        try {
            last = read();
        } catch (UnusableAccess unreadable) {
            LOG.warn("{}; the token read at {} is used on", unreadable.getMessage(), known.at);
        }
        return Optional.of(last.header);
    }

    @Override
    public void refused() {
        last = new Read(last.header, Instant.MIN);
    }

    @Override
    public String advice() {
        return Credentials.advice(file.label(), "Write a valid token there: Berth reads the file again");
    }

    private Read read() throws UnusableAccess {
        String token = new String(file.bytes(), StandardCharsets.UTF_8).strip();
        if (token.isEmpty()) {
            throw new UnusableAccess("%s is empty".formatted(file.label()));
        }
        return new Read(Credentials.bearer(token), clock.instant());
    }
}
