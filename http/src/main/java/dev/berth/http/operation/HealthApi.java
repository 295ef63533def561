package dev.berth.http.operation;

import dev.berth.http.Asked;
import dev.berth.http.Reply;
import dev.berth.http.Router;
import dev.berth.http.operation.Check.Finding;
import java.util.Arrays;
import java.util.List;

/**
 * Answers whether all is well as Kubernetes' own programs do: 200 and {@code ok}, or 500 and what is wrong, in one line
 * for each check. {@code ?verbose} has the lines in any case, and {@code /<path>/<check>} asks one check alone.
 */
public final class HealthApi {
    private static final int OK = 200;
    private static final int ILL = 500;

    private final String name;
    private final List<Check> checks;

    /**
     * The answers at one path.
     *
     * @param name of the path, such as livez
     */
    public HealthApi(String name, List<Check> checks) {
        this.name = name;
        this.checks = List.copyOf(checks);
    }

    public Router addTo(Router router) {
        router.get("/" + name, asked -> answer(checks, asked));
        checks.forEach(
                check -> router.get("/%s/%s".formatted(name, check.name()), asked -> answer(List.of(check), asked)));
        return router;
    }

    private Reply answer(List<Check> asked, Asked request) throws InterruptedException {
        StringBuilder lines = new StringBuilder();
        boolean well = true;
        for (Check check : asked) {
            Finding finding = check.question().ask();
            well &= finding.well();
            lines.append(line(check, finding));
        }
        if (well && !verbose(request)) {
            return Reply.text(OK, "ok");
        }
        lines.append("%s check %s%n".formatted(name, well ? "passed" : "failed"));
        return Reply.text(well ? OK : ILL, lines.toString()).with("X-Content-Type-Options", "nosniff");
    }

    private static String line(Check check, Finding finding) {
        String verdict = finding.well() ? "[+]%s ok" : "[-]%s failed";
        String words = finding.words().isEmpty() ? "" : ": " + finding.words();
        return verdict.formatted(check.name()) + words + "\n";
    }

    private static boolean verbose(Asked request) {
        return Arrays.stream(request.query().split("&"))
                .anyMatch(part -> part.equals("verbose") || part.startsWith("verbose="));
    }
}
