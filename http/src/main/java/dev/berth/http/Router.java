package dev.berth.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the route of a request. A path that is almost right is sent to the right one; another method than the route's is
 * told which one it takes.
 */
public final class Router {
    private static final int OK = 200;
    private static final int MOVED = 301;
    private static final int MOVED_WITH_BODY = 307;

    private final Map<String, Entry> entries = new HashMap<>();

    private record Entry(String method, Route route) {
        private String allow() {
            return method + ", OPTIONS";
        }
    }

    public Router post(String path, Route route) {
        return on("POST", path, route);
    }

    public Router get(String path, Route route) {
        return on("GET", path, route);
    }

    private Router on(String method, String path, Route route) {
        if (entries.put(path, new Entry(method, route)) != null) {
            throw new IllegalArgumentException("path (%s) has a route already".formatted(path));
        }
        return this;
    }

    /** The route to ask, or else what to answer without one. */
    Found find(String method, String path) {
        Entry entry = entries.get(path);
        if (entry == null) {
            return Found.answer(almost(path)
                    .map(right -> Reply.text(method.equals("GET") ? MOVED : MOVED_WITH_BODY, "")
                            .with("Location", right))
                    .orElseGet(() -> Reply.text(404, "404 page not found\n")));
        }
        if (method.equals(entry.method())) {
            return new Found(Optional.of(entry.route()), Reply.text(OK, ""));
        }
        return Found.answer((method.equals("OPTIONS") ? Reply.text(OK, "") : Reply.text(405, "Method Not Allowed\n"))
                .with("Allow", entry.allow()));
    }

    /** What was found: where there is no route the answer counts. */
    record Found(Optional<Route> route, Reply otherwise) {
        private static Found answer(Reply reply) {
            return new Found(Optional.empty(), reply);
        }
    }

    /** The path without a slash at its end, in small letters. */
    private Optional<String> almost(String path) {
        String bare = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return Optional.of(bare.toLowerCase(Locale.ROOT)).filter(entries::containsKey);
    }
}
