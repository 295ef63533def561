package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.http2.Call;
import dev.berth.kubernetes.projection.Bookmark;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists and watches a kind over HTTP. Lists are consistent, in parts, and read as they arrive; protobuf is preferred,
 * and what a server answers instead is understood too.
 */
public final class KindSource<T> implements Source<T> {
    private static final Logger LOG = LoggerFactory.getLogger(KindSource.class);
    private static final int SHORTEST_WATCH_SECONDS = 300;
    private static final int LONGEST_WATCH_SECONDS = 600;
    /** An API server sends a bookmark two seconds before the end of a watch. */
    private static final int REPLAY_SECONDS = 3;

    private static final Duration HEAD_TIMEOUT = Duration.ofSeconds(60);
    private static final int NOT_ACCEPTABLE = 406;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int INTERNAL_ERROR = 500;
    /** A kind may be installed later. */
    private static final Duration ABSENT_PAUSE = Duration.ofSeconds(10);

    private static final int GATEWAY_TIMEOUT = 504;

    private final ApiClient client;
    private final KindPath kind;
    private final Projection<T> projection;
    private final Readers readers;
    private final int partSize;
    private final RandomGenerator random;
    private boolean jsonOnly;

    /**
     * Makes a source.
     *
     * @param readers those of the client's thread, so that all kinds share their strings
     * @param partSize how many objects a part of a list has
     */
    public KindSource(
            ApiClient client,
            KindPath kind,
            Projection<T> projection,
            Readers readers,
            int partSize,
            RandomGenerator random) {
        this.client = client;
        this.kind = kind;
        this.projection = projection;
        this.readers = readers;
        this.partSize = partSize;
        this.random = random;
    }

    @Override
    public Call list(String continueToken, ListListener<T> listener) {
        String path = "%s?limit=%d".formatted(kind.path(), partSize);
        if (!continueToken.isEmpty()) {
            path += "&continue=" + URLEncoder.encode(continueToken, StandardCharsets.UTF_8);
        }
        String accept =
                jsonOnly ? Format.JSON.mediaType() : Format.PROTOBUF.mediaType() + "," + Format.JSON.mediaType();
        return client.stream(path, accept, HEAD_TIMEOUT, new ListAnswer(listener));
    }

    @Override
    public Call watch(String version, WatchListener<T> listener) {
        // Chance keeps the watches of many clients from ending together.
        return watch(version, random.nextInt(SHORTEST_WATCH_SECONDS, LONGEST_WATCH_SECONDS), listener);
    }

    @Override
    public Call replay(String version, WatchListener<T> listener) {
        return watch(version, REPLAY_SECONDS, listener);
    }

    private Call watch(String version, int seconds, WatchListener<T> listener) {
        String path = "%s?watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
                .formatted(kind.path(), URLEncoder.encode(version, StandardCharsets.UTF_8), seconds);
        String accept = jsonOnly
                ? Format.JSON.watchMediaType()
                : Format.PROTOBUF.watchMediaType() + "," + Format.JSON.watchMediaType();
        return client.stream(path, accept, HEAD_TIMEOUT, new WatchAnswer(listener));
    }

    private Failure understood(String verb, Status status) {
        if (status.code() == NOT_ACCEPTABLE || status.code() == UNSUPPORTED_MEDIA_TYPE) {
            jsonOnly = true;
        }
        boolean ahead = status.code() == GATEWAY_TIMEOUT && status.message().contains("Too large resource version");
        boolean expired = status.code() == GONE || ahead;
        if (kind.optional() && (status.code() == NOT_FOUND || status.code() == FORBIDDEN)) {
            String none = "the API server offers no %s".formatted(kind.plural());
            return new Failure(Failure.Kind.NOT_OFFERED, none, Optional.of(ABSENT_PAUSE));
        }
        if (status.code() == NOT_FOUND) {
            String absent = "the API server has no %s. %s".formatted(kind.plural(), Definition.INSTALL);
            return new Failure(Failure.Kind.ABSENT, absent, Optional.of(ABSENT_PAUSE));
        }
        String message = "cannot %s %s: %s".formatted(verb, kind.plural(), status);
        if (expired) {
            return new Failure(Failure.Kind.EXPIRED, message, status.retryAfter());
        }
        boolean away = status.code() >= INTERNAL_ERROR || status.code() == TOO_MANY_REQUESTS;
        return new Failure(away ? Failure.Kind.AWAY : Failure.Kind.BROKEN, message, status.retryAfter());
    }

    /** A projection that fails costs its object alone, whatever is wrong with it. */
    private Seen<T> read(Cursor in) {
        Seen<T> seen;
        try {
            seen = projection.read(in);
        } catch (RuntimeException bad) {
            LOG.debug("{}: an object cannot be read", kind.plural(), bad);
            return unreadable(in.identity(), String.valueOf(bad.getMessage()));
        }
        if (seen.problem().isEmpty()) {
            return seen;
        }
        Identity identity = typed(in.identity());
        return seen.uid().isEmpty() ? unreadable(identity, seen.problem()) : seen.identifiedBy(identity);
    }

    private Seen<T> unreadable(Identity identity, String problem) {
        Identity typed = typed(identity);
        return Seen.unreadable(typed, "%s: %s".formatted(typed, problem));
    }

    private Identity typed(Identity identity) {
        return identity.orOfType(kind.apiVersion(), kind.kind());
    }

    private final class ListAnswer extends StreamedAnswer implements ListSink {
        private final ListListener<T> listener;
        private String version = "";
        private String continueToken = "";

        private ListAnswer(ListListener<T> listener) {
            this.listener = listener;
        }

        @Override
        protected void begin(Format format) {
            readWith(readers.list(format, this));
        }

        @Override
        public void item(Cursor in) {
            listener.item(read(in));
        }

        @Override
        public void unreadable(Identity identity, String problem) {
            listener.item(KindSource.this.unreadable(identity, problem));
        }

        @Override
        public void list(String resourceVersion, String continuing) {
            version = resourceVersion;
            continueToken = continuing;
        }

        @Override
        protected void complete() {
            listener.end(version, continueToken);
        }

        @Override
        protected void refused(Status status) {
            listener.failed(understood("list", status));
        }

        @Override
        protected void broken(Failure why) {
            listener.failed(why);
        }
    }

    private final class WatchAnswer extends StreamedAnswer implements WatchSink {
        private final WatchListener<T> listener;
        private Optional<Failure> failure = Optional.empty();

        private WatchAnswer(WatchListener<T> listener) {
            this.listener = listener;
        }

        @Override
        protected void begin(Format format) {
            readWith(readers.watch(format, this));
            listener.opened();
        }

        @Override
        public void event(String type, Cursor object) {
            if (failure.isPresent()) {
                return;
            }
            switch (type) {
                case "ADDED", "MODIFIED" -> listener.changed(read(object));
                case "DELETED" -> listener.deleted(read(object));
                case "BOOKMARK" -> bookmark(object);
                case "ERROR" -> fail(understood("watch", Status.read(object)));
                default ->
                    fail(Failure.broken(
                            "cannot watch %s: event (%s) is none that is known".formatted(kind.plural(), type)));
            }
        }

        /** Skipped where nothing can be known of it; but what ends the watch does so all the same. */
        @Override
        public void unreadable(String type, Identity identity, String problem) {
            if (failure.isPresent()) {
                return;
            }
            Seen<T> skipped = KindSource.this.unreadable(identity, problem);
            switch (type) {
                case "DELETED" -> listener.deleted(skipped);
                case "ERROR" -> fail(Failure.broken("cannot watch %s: %s".formatted(kind.plural(), problem)));
                default -> listener.changed(skipped);
            }
        }

        /** The next one says more than one that cannot be read. */
        private void bookmark(Cursor object) {
            try {
                listener.bookmark(Bookmark.read(object).version());
            } catch (MalformedObject malformed) {
                LOG.warn("{}: a bookmark cannot be read: {}", kind.plural(), malformed.getMessage());
            }
        }

        private void fail(Failure found) {
            failure = Optional.of(found);
            listener.failed(found);
        }

        @Override
        protected void complete() {
            if (failure.isEmpty()) {
                listener.end();
            }
        }

        @Override
        protected void refused(Status status) {
            listener.failed(understood("watch", status));
        }

        @Override
        protected void broken(Failure why) {
            if (failure.isEmpty()) {
                listener.failed(why);
            }
        }
    }
}
