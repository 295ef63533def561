package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs kubectl as users do, and records its output. */
public final class Kubectl {

    private static final int TIMEOUT_SECONDS = 120;

    private final List<String> program;
    private final Path kubeconfig;
    private final Path home;
    private final Map<String, String> environment;
    private final Path folder;

    /**
     * @param program the command of kubectl
     * @param home the folder of its cache
     */
    public Kubectl(List<String> program, Path kubeconfig, Path home) {
        this(program, kubeconfig, home, Map.of(), Path.of(""));
    }

    private Kubectl(List<String> program, Path kubeconfig, Path home, Map<String, String> environment, Path folder) {
        this.program = List.copyOf(program);
        this.kubeconfig = kubeconfig;
        this.home = home;
        this.environment = Map.copyOf(environment);
        this.folder = folder.toAbsolutePath();
    }

    /** The same with further environment variables, such as an editor. */
    public Kubectl withEnvironment(Map<String, String> more) {
        return new Kubectl(program, kubeconfig, home, more, folder);
    }

    /** The same in another working directory, against which relative paths are resolved. */
    public Kubectl in(Path workingDirectory) {
        return new Kubectl(program, kubeconfig, home, environment, workingDirectory);
    }

    /** The output and the exit code of one call. */
    public record Output(List<String> command, int exit, String out, String err) {

        public Output {
            command = List.copyOf(command);
        }

        /** Returns this if it succeeded; otherwise throws an error that shows the output. */
        public Output ok() {
            if (exit != 0) {
                throw new AssertionError(
                        "kubectl %s ended with (%d)\n%s%s".formatted(String.join(" ", command), exit, out, err));
            }
            return this;
        }

        /** Returns this if it failed; otherwise throws an error that shows the output. */
        public Output refused() {
            if (exit == 0) {
                throw new AssertionError(
                        "kubectl %s was to be refused, and said\n%s%s".formatted(String.join(" ", command), out, err));
            }
            return this;
        }

        public List<String> lines() {
            return out.lines().toList();
        }
    }

    /** Runs a command line, split at blanks; for arguments with blanks use {@link #runArguments}. */
    public Output run(String line) {
        return runArguments("", line.strip().split(" +"));
    }

    /** Runs a command line with text on standard input, as for {@code apply -f -}. */
    public Output run(String line, String input) {
        return runArguments(input, line.strip().split(" +"));
    }

    /** Runs kubectl with these arguments. */
    public Output runArguments(String input, String... arguments) {
        List<String> args = List.of(arguments);
        try {
            Path out = Files.createTempFile(home, "kubectl", ".out");
            Path err = Files.createTempFile(home, "kubectl", ".err");
            try {
                Process process = builder(args)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                try (OutputStream in = process.getOutputStream()) {
                    in.write(input.getBytes(StandardCharsets.UTF_8));
                }
                int exit = await(process, args);
                return new Output(args, exit, Files.readString(out), Files.readString(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("kubectl %s could not be run".formatted(String.join(" ", args)), e);
        }
    }

    /** Starts a call that keeps running, such as {@code get -w}. */
    public RunningKubectl follow(String line) {
        List<String> args = List.of(line.strip().split(" +"));
        try {
            return new RunningKubectl(
                    args, builder(args).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException("kubectl %s could not be run".formatted(line), e);
        }
    }

    private ProcessBuilder builder(List<String> args) {
        List<String> command = new ArrayList<>(program);
        command.addAll(args);
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().put("HOME", home.toString());
        builder.environment().putAll(environment);
        return builder;
    }

    private static int await(Process process, List<String> args) {
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "kubectl %s did not end within %d s".formatted(String.join(" ", args), TIMEOUT_SECONDS));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kubectl ran", e);
        }
    }
}
