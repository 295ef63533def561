package dev.berth.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route of a request. A path that is almost right is answered with the right path, and a wrong method with
 * the right method.
 */
public final class Router {
    private static final int OK = 200;
    private static final int MOVED = 301;
    private static final int MOVED_WITH_BODY = 307;

    private final Map<String, RegisteredRoute> registeredRoutes = new HashMap<>();
    /** By the first part of the path, which ends with a slash. */
    private final Map<String, Function<String, RouteHandler>> routesUnder = new TreeMap<>();

    private record RegisteredRoute(String method, RouteHandler routeHandler) {
        private String allowedMethods() {
            return method + ", OPTIONS";
        }
    }

    public Router post(String path, RouteHandler routeHandler) {
        return register("POST", path, routeHandler);
    }

    public Router get(String path, RouteHandler routeHandler) {
        return register("GET", path, routeHandler);
    }

    /**
     * Routes every path with this beginning.
     *
     * @param prefix ends with a slash
     * @param handlerOf the handler for the rest of the path, which is not empty and has no slash
     */
    public Router getUnder(String prefix, Function<String, RouteHandler> handlerOf) {
        if (!prefix.endsWith("/") || routesUnder.put(prefix, handlerOf) != null) {
            throw new IllegalArgumentException(
                    "prefix (%s) does not end with a slash or already has a route".formatted(prefix));
        }
        return this;
    }

    private Router register(String method, String path, RouteHandler routeHandler) {
        if (registeredRoutes.put(path, new RegisteredRoute(method, routeHandler)) != null) {
            throw new IllegalArgumentException("path (%s) already has a route".formatted(path));
        }
        return this;
    }

    /** The route, or the response if there is none. */
    RouteMatch find(String method, String path) {
        RegisteredRoute registeredRoute = findRegistered(path);
        if (registeredRoute == null) {
            return RouteMatch.withoutRoute(similarPath(path)
                    .map(right -> ServerResponse.text(method.equals("GET") ? MOVED : MOVED_WITH_BODY, "")
                            .withHeader("Location", right))
                    .orElseGet(() -> ServerResponse.text(404, "404 page not found\n")));
        }
        if (method.equals(registeredRoute.method())) {
            return new RouteMatch(Optional.of(registeredRoute.routeHandler()), ServerResponse.text(OK, ""));
        }
        return RouteMatch.withoutRoute((method.equals("OPTIONS")
                        ? ServerResponse.text(OK, "")
                        : ServerResponse.text(405, "Method Not Allowed\n"))
                .withHeader("Allow", registeredRoute.allowedMethods()));
    }

    private @Nullable RegisteredRoute findRegistered(String path) {
        RegisteredRoute exact = registeredRoutes.get(path);
        if (exact != null) {
            return exact;
        }
        int slash = path.lastIndexOf('/') + 1;
        Function<String, RouteHandler> under = routesUnder.get(path.substring(0, slash));
        return under == null || slash == path.length()
                ? null
                : new RegisteredRoute("GET", under.apply(path.substring(slash)));
    }

    /** @param fallback the response if there is no route */
    record RouteMatch(Optional<RouteHandler> routeHandler, ServerResponse fallback) {
        private static RouteMatch withoutRoute(ServerResponse serverResponse) {
            return new RouteMatch(Optional.empty(), serverResponse);
        }
    }

    /** The path in lower case without a slash at its end. */
    private Optional<String> similarPath(String path) {
        String bare = path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return Optional.of(bare.toLowerCase(Locale.ROOT)).filter(registeredRoutes::containsKey);
    }
}
