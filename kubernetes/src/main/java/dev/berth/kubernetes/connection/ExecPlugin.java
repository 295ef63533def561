package dev.berth.kubernetes.connection;

import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.json.Tree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program named in a kubeconfig that prints a token, as clouds have them. */
record ExecPlugin(Path kubeconfig, String apiVersion, List<String> command, Map<String, String> environment) {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final long PATIENCE_SECONDS = 60;

    /** A token and when it ends, if it does. */
    record Token(String value, Optional<Instant> expires) {}

    ExecPlugin {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    static ExecPlugin of(Section exec, Path kubeconfig) throws UnusableAccess {
        String apiVersion = exec.required("apiVersion");
        if (!apiVersion.equals(GROUP + "v1") && !apiVersion.equals(GROUP + "v1beta1")) {
            throw exec.bad("apiVersion", apiVersion, "must be %sv1 or %<sv1beta1".formatted(GROUP));
        }
        if (exec.flag("provideClusterInfo")) {
            throw exec.bad("provideClusterInfo", "true", "is not supported: use a plugin that needs no cluster info");
        }
        if (exec.text("interactiveMode").orElse("").equals("Always")) {
            throw exec.bad("interactiveMode", "Always", "is not supported: Berth has nobody to ask");
        }
        List<String> command = new ArrayList<>();
        String program = exec.required("command");
        // As kubectl: a name is looked for on the PATH, a path is relative to the kubeconfig.
        command.add(program.indexOf('/') >= 0 ? exec.path(program).toString() : program);
        command.addAll(exec.texts("args"));
        Map<String, String> environment = new LinkedHashMap<>();
        for (Section variable : exec.sections("env")) {
            environment.put(variable.required("name"), variable.text("value").orElse(""));
        }
        return new ExecPlugin(kubeconfig, apiVersion, command, environment);
    }

    /** Runs the program and waits for what it prints. */
    Token run() throws UnusableAccess, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment()
                .put(
                        "KUBERNETES_EXEC_INFO",
                        "{\"kind\":\"ExecCredential\",\"apiVersion\":\"%s\",\"spec\":{\"interactive\":false}}"
                                .formatted(apiVersion));
        try {
            Process process = builder.start();
            try {
                return output(process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failed) {
            throw failed instanceof UnusableAccess known ? known : unusable("cannot be run: " + failed.getMessage());
        }
    }

    private Token output(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        CompletableFuture<String> printed = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
        CompletableFuture<String> complained = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw unusable("did not end within %d seconds".formatted(PATIENCE_SECONDS));
        }
        if (process.exitValue() != 0) {
            throw unusable("ended with exit code %d: %s"
                    .formatted(process.exitValue(), complained.join().strip()));
        }
        return token(printed.join());
    }

    private Token token(String printed) throws UnusableAccess {
        Tree credential;
        try {
            credential = Tree.read(printed.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedObject malformed) {
            throw unusable("printed no credential: " + malformed.getMessage());
        }
        String token = credential.text("status", "token");
        if (token.isEmpty()) {
            throw unusable("printed no status.token; client certificates from plugins are not supported");
        }
        String expires = credential.text("status", "expirationTimestamp");
        try {
            return new Token(token, expires.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(expires)));
        } catch (DateTimeParseException malformed) {
            throw unusable("printed a status.expirationTimestamp (%s) that is no time".formatted(expires));
        }
    }

    private UnusableAccess unusable(String words) {
        return new UnusableAccess(
                "kubeconfig (%s): the exec plugin (%s) %s".formatted(kubeconfig, command.get(0), words));
    }

    private static String text(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            return "(its output broke off: %s)".formatted(broken.getMessage());
        }
    }
}
