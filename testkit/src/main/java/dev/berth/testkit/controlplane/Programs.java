package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the programs of a control plane are: one binary that behaves by its first argument, as
 * {@code controlplane/build} makes it, or a folder with one file for each, as KUBEBUILDER_ASSETS
 * names.
 */
public record Programs(Path place) {

    private static final Logger LOG = LoggerFactory.getLogger(Programs.class);
    private static final int NO_GO = 3;

    public Programs {
        if (!Files.exists(place)) {
            throw new IllegalArgumentException(
                    "the control plane's programs (%s) are not there. Maybe run controlplane/build.".formatted(place));
        }
    }

    /**
     * Finds the programs where BERTH_CONTROLPLANE says, else by running {@code controlplane/build} of the repository
     * the working directory is in. The first time that builds them, which takes minutes.
     *
     * @throws MissingControlPlaneException in words for a reader, where they cannot be had here
     */
    public static Programs find() {
        String known = System.getenv("BERTH_CONTROLPLANE");
        if (known != null && !known.isBlank()) {
            return new Programs(Path.of(known));
        }
        Path script = buildScript()
                .orElseThrow(() -> new MissingControlPlaneException(
                        "no controlplane/build in (%s) or any folder above it. Maybe run the tests inside the repository."
                                .formatted(workingDirectory())));
        return run(script);
    }

    /** The words that start a program, without its own arguments. */
    public List<String> command(String program) {
        if (!Files.isDirectory(place)) {
            return List.of(place.toString(), program);
        }
        Path file = place.resolve(program);
        if (!Files.isExecutable(file)) {
            throw new MissingControlPlaneException(
                    "KUBEBUILDER_ASSETS (%s) has no executable (%s). Maybe unset it to have one built."
                            .formatted(place, program));
        }
        return List.of(file.toString());
    }

    private static Optional<Path> buildScript() {
        for (Path folder = workingDirectory(); folder != null; folder = folder.getParent()) {
            Path script = folder.resolve("controlplane").resolve("build");
            if (Files.isExecutable(script)) {
                return Optional.of(script);
            }
        }
        return Optional.empty();
    }

    private static Path workingDirectory() {
        return Path.of("").toAbsolutePath();
    }

    private static Programs run(Path script) {
        try {
            Path said = Files.createTempFile("berth-controlplane-build", ".log");
            try {
                Process build = new ProcessBuilder("bash", script.toString())
                        .redirectError(said.toFile())
                        .start();
                build.getOutputStream().close();
                List<String> lines = build.inputReader().lines().toList();
                return answer(build.waitFor(), lines, Files.readString(said).strip());
            } finally {
                Files.delete(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be run".formatted(script), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while (%s) ran".formatted(script), e);
        }
    }

    private static Programs answer(int exit, List<String> lines, String said) {
        if (exit == NO_GO) {
            throw new MissingControlPlaneException(said);
        }
        if (exit != 0 || lines.isEmpty()) {
            throw new IllegalStateException("controlplane/build ended with (%d): %s".formatted(exit, said));
        }
        if (!said.isEmpty()) {
            LOG.info("{}", said);
        }
        return new Programs(Path.of(lines.get(lines.size() - 1)));
    }
}
