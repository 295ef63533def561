package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** The Kubernetes version of the tests, the same for all its programs. */
public final class KubernetesVersion {
    private KubernetesVersion() {}

    /**
     * Skips a test that needs a newer Kubernetes.
     *
     * @param minor the first unsuitable version, such as 1.32
     * @param reason why it is unsuitable
     */
    public static void skipOn(String minor, String reason) {
        String version = kubectlVersion();
        Assumptions.assumeFalse(
                version.contains("v" + minor + "."), () -> "Kubernetes %s: %s".formatted(minor, reason));
    }

    /** The output of kubectl, such as {@code Client Version: v1.36.4}, with more lines. */
    private static String kubectlVersion() {
        List<String> command = new ArrayList<>(ControlPlaneBinaries.find().command("kubectl"));
        command.addAll(List.of("version", "--client"));
        try {
            Process kubectl =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            kubectl.getOutputStream().close();
            String output = String.join("\n", kubectl.inputReader().lines().toList());
            if (kubectl.waitFor() != 0) {
                throw new IllegalStateException("(%s) failed: %s".formatted(command, output));
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be run".formatted(command), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kubectl told its version", e);
        }
    }
}
