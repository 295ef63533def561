package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.testkit.controlplane.ControlPlaneBinaries;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * kube-scheduler's own code in a process of its own, asked over its standard input. The process ends with that input, so
 * that it does not outlive this one.
 */
final class KubeSchedulerOracle implements AutoCloseable {
    /** A trial that cannot be judged, such as one with an object that makes no sense. */
    static final class InvalidTraceException extends RuntimeException {
        private static final long serialVersionUID = 1;

        InvalidTraceException(String problem) {
            super(problem);
        }
    }

    private final Process process;
    private final Path errors;
    private final BufferedWriter requests;
    private final BufferedReader responses;

    private KubeSchedulerOracle(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    /** @throws dev.berth.testkit.controlplane.MissingControlPlaneException where there is none */
    static KubeSchedulerOracle start() {
        List<String> command = ControlPlaneBinaries.find().command("scheduler-referee");
        try {
            Path errors = Files.createTempFile("berth-referee", ".log");
            return new KubeSchedulerOracle(
                    new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be started".formatted(command), e);
        }
    }

    /** What kube-scheduler says of the pods to be placed, in their order. */
    List<SchedulingOutcome> schedule(ClusterTrace clusterTrace) {
        JsonNode verdict = ApiObjects.parse(exchange(clusterTrace.json()));
        String problem = verdict.path("problem").asText();
        List<SchedulingOutcome> schedulingOutcomes = new ArrayList<>();
        for (JsonNode ruling : verdict.path("rulings")) {
            String failure = ruling.path("failure").asText();
            problem = problem.isEmpty() ? failure : problem;
            schedulingOutcomes.add(SchedulingOutcome.fromJson(ruling));
        }
        if (!problem.isEmpty()) {
            throw new InvalidTraceException("seed (%d): %s".formatted(clusterTrace.seed(), problem));
        }
        return schedulingOutcomes;
    }

    private String exchange(String question) {
        try {
            requests.write(question);
            requests.write('\n');
            requests.flush();
            String answer = responses.readLine();
            if (answer == null) {
                throw new IllegalStateException("the referee ended, saying: " + Files.readString(errors));
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException("the referee cannot be asked any more", e);
        }
    }

    @Override
    public void close() {
        try {
            requests.close();
            responses.close();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.delete(errors);
        } catch (IOException e) {
            throw new UncheckedIOException("the referee could not be ended in order", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
