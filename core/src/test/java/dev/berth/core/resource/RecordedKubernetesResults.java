package dev.berth.core.resource;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What Kubernetes 1.36.4 answered; src/test/go/recorder writes it down. */
final class RecordedKubernetesResults {
    private RecordedKubernetesResults() {}

    static List<String> lines(String file) {
        try (InputStream in = RecordedKubernetesResults.class.getResourceAsStream("/recorded/" + file)) {
            if (in == null) {
                throw new IllegalStateException("no recorded file (%s)".formatted(file));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
