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
 * The programs of a control plane: one binary that behaves by its first argument, as {@code controlplane/build} builds
 * it, or a folder with one file for each, as in KUBEBUILDER_ASSETS.
 */
public record ControlPlaneBinaries(Path path) {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlaneBinaries.class);
    private static final int EXIT_WITHOUT_GO = 3;

    public ControlPlaneBinaries {
        if (!Files.exists(path)) {
            throw new IllegalArgumentException(
                    "the control plane's programs (%s) are not there. Maybe run controlplane/build.".formatted(path));
        }
    }

    /**
     * Finds the programs at BERTH_CONTROLPLANE, else by running {@code controlplane/build} of the repository. The first
     * run builds them, which takes minutes.
     *
     * @throws MissingControlPlaneException if they are not available, with a message for the user
     */
    public static ControlPlaneBinaries find() {
        String known = System.getenv("BERTH_CONTROLPLANE");
        if (known != null && !known.isBlank()) {
            return new ControlPlaneBinaries(Path.of(known));
        }
        Path script = buildScript()
                .orElseThrow(() -> new MissingControlPlaneException(
                        "no controlplane/build in (%s) or any folder above it. Maybe run the tests inside the repository."
                                .formatted(workingDirectory())));
        return build(script);
    }

    /** The command of a program, without its own arguments. */
    public List<String> command(String program) {
        if (!Files.isDirectory(path)) {
            return List.of(path.toString(), program);
        }
        Path file = path.resolve(program);
        if (!Files.isExecutable(file)) {
            throw new MissingControlPlaneException(
                    "KUBEBUILDER_ASSETS (%s) has no executable (%s). Maybe unset it, so that one is built."
                            .formatted(path, program));
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

    private static ControlPlaneBinaries build(Path script) {
        try {
            Path errorOutput = Files.createTempFile("berth-controlplane-build", ".log");
            try {
                Process build = new ProcessBuilder("bash", script.toString())
                        .redirectError(errorOutput.toFile())
                        .start();
                build.getOutputStream().close();
                List<String> lines = build.inputReader().lines().toList();
                return fromBuildOutput(
                        build.waitFor(), lines, Files.readString(errorOutput).strip());
            } finally {
                Files.delete(errorOutput);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be run".formatted(script), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while (%s) ran".formatted(script), e);
        }
    }

    private static ControlPlaneBinaries fromBuildOutput(int exit, List<String> lines, String errorOutput) {
        if (exit == EXIT_WITHOUT_GO) {
            throw new MissingControlPlaneException(errorOutput);
        }
        if (exit != 0 || lines.isEmpty()) {
            throw new IllegalStateException("controlplane/build ended with (%d): %s".formatted(exit, errorOutput));
        }
        if (!errorOutput.isEmpty()) {
            LOG.info("{}", errorOutput);
        }
        return new ControlPlaneBinaries(Path.of(lines.get(lines.size() - 1)));
    }
}
