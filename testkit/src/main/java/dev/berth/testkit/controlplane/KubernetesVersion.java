package dev.berth.testkit.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Which Kubernetes the tests run on: all of its programs are of one version. */
public final class KubernetesVersion {
    private KubernetesVersion() {}

    /**
     * Passes over a test that asks for what an older Kubernetes has not, in words.
     *
     * @param minor the older one, such as 1.32
     * @param reason what is true there
     */
    public static void skipOn(String minor, String reason) {
        String version = kubectlVersion();
        Assumptions.assumeFalse(
                version.contains("v" + minor + "."), () -> "Kubernetes %s: %s".formatted(minor, reason));
    }

    /** What kubectl says, such as {@code Client Version: v1.36.4}, with more lines. */
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
