package dev.berth.http.diagnostics;

import dev.berth.http.Router;
import dev.berth.http.ServerRequest;
import dev.berth.http.ServerResponse;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import java.util.Arrays;
import java.util.List;

/**
 * Health endpoints as in Kubernetes: 200 and {@code ok}, or 500 with one line for each check. {@code ?verbose} always
 * has the lines, and {@code /<path>/<check>} runs one check alone.
 */
public final class HealthApi {
    private static final int OK = 200;
    private static final int INTERNAL_SERVER_ERROR = 500;

    private final String name;
    private final List<HealthCheck> checks;

    /**
     * The endpoints of one path.
     *
     * @param name of the path, such as livez
     */
    public HealthApi(String name, List<HealthCheck> checks) {
        this.name = name;
        this.checks = List.copyOf(checks);
    }

    public Router registerOn(Router router) {
        router.get("/" + name, serverRequest -> respond(checks, serverRequest));
        checks.forEach(check ->
                router.get("/%s/%s".formatted(name, check.name()), request -> respond(List.of(check), request)));
        return router;
    }

    private ServerResponse respond(List<HealthCheck> checks, ServerRequest request) throws InterruptedException {
        StringBuilder lines = new StringBuilder();
        boolean healthy = true;
        for (HealthCheck check : checks) {
            HealthStatus healthStatus = check.probe().run();
            healthy &= healthStatus.healthy();
            lines.append(line(check, healthStatus));
        }
        if (healthy && !isVerbose(request)) {
            return ServerResponse.text(OK, "ok");
        }
        lines.append("%s check %s%n".formatted(name, healthy ? "passed" : "failed"));
        return ServerResponse.text(healthy ? OK : INTERNAL_SERVER_ERROR, lines.toString())
                .withHeader("X-Content-Type-Options", "nosniff");
    }

    private static String line(HealthCheck check, HealthStatus healthStatus) {
        String format = healthStatus.healthy() ? "[+]%s ok" : "[-]%s failed";
        String message = healthStatus.message().isEmpty() ? "" : ": " + healthStatus.message();
        return format.formatted(check.name()) + message + "\n";
    }

    private static boolean isVerbose(ServerRequest request) {
        return Arrays.stream(request.query().split("&"))
                .anyMatch(part -> part.equals("verbose") || part.startsWith("verbose="));
    }
}
