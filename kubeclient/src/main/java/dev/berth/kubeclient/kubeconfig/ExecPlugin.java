package dev.berth.kubeclient.kubeconfig;

import dev.berth.kubeclient.pem.ClientConfigException;
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

/** An exec plugin of a kubeconfig: a program that prints a token, as cloud providers use it. */
record ExecPlugin(Path kubeconfig, List<String> command, Map<String, String> environment) {
    private static final String GROUP = "client.authentication.k8s.io/";
    private static final long TIMEOUT_SECONDS = 60;

    /** A token and its expiry, if it has one. */
    record ExecToken(String value, Optional<Instant> expiresAt) {}

    ExecPlugin {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    static ExecPlugin parse(KubeconfigSection exec, KubeconfigSection cluster, Path kubeconfig)
            throws ClientConfigException {
        String apiVersion = exec.required("apiVersion");
        if (!apiVersion.equals(GROUP + "v1") && !apiVersion.equals(GROUP + "v1beta1")) {
            throw exec.invalid("apiVersion", apiVersion, "must be %sv1 or %<sv1beta1".formatted(GROUP));
        }
        if (exec.text("interactiveMode").orElse("").equals("Always")) {
            throw exec.invalid("interactiveMode", "Always", "is not supported: Berth is not interactive");
        }
        List<String> command = new ArrayList<>();
        String program = exec.required("command");
        // As in kubectl: a name is searched on the PATH, and a path is relative to the kubeconfig.
        command.add(program.indexOf('/') >= 0 ? exec.resolvePath(program).toString() : program);
        command.addAll(exec.strings("args"));
        Map<String, String> environment = new LinkedHashMap<>();
        for (KubeconfigSection variable : exec.sections("env")) {
            environment.put(variable.required("name"), variable.text("value").orElse(""));
        }
        Optional<KubeconfigSection> clusterInfo =
                exec.flag("provideClusterInfo") ? Optional.of(cluster) : Optional.empty();
        environment.put(ExecCredentialJson.VARIABLE, ExecCredentialJson.write(apiVersion, clusterInfo));
        return new ExecPlugin(kubeconfig, command, environment);
    }

    /** Runs the program and waits for its output. */
    ExecToken run() throws ClientConfigException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            try {
                return awaitToken(process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failed) {
            throw failed instanceof ClientConfigException configError
                    ? configError
                    : failure("cannot be run: " + failed.getMessage());
        }
    }

    private ExecToken awaitToken(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
        CompletableFuture<String> errorOutput = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()));
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw failure("did not end within %d seconds".formatted(TIMEOUT_SECONDS));
        }
        if (process.exitValue() != 0) {
            throw failure("ended with exit code %d: %s"
                    .formatted(process.exitValue(), errorOutput.join().strip()));
        }
        return parseToken(output.join());
    }

    private ExecToken parseToken(String output) throws ClientConfigException {
        ExecCredentialJson.Status status;
        try {
            status = ExecCredentialJson.readStatus(output);
        } catch (IOException malformed) {
            throw failure("printed no credential: " + malformed.getMessage());
        }
        String token = status.token();
        if (token.isEmpty()) {
            throw failure("printed no status.token; client certificates from plugins are not supported");
        }
        String expires = status.expirationTimestamp();
        try {
            return new ExecToken(token, expires.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(expires)));
        } catch (DateTimeParseException malformed) {
            throw failure("printed an invalid status.expirationTimestamp (%s)".formatted(expires));
        }
    }

    private ClientConfigException failure(String message) {
        return new ClientConfigException(
                "kubeconfig (%s): the exec plugin (%s) %s".formatted(kubeconfig, command.get(0), message));
    }

    private static String readAll(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            return "(its output could not be read: %s)".formatted(broken.getMessage());
        }
    }
}
