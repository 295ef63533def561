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
 * kube-scheduler's own code in a process of its own, which reads traces from its standard input. The process ends with
 * that input, so that it does not outlive this one.
 */
final class KubeSchedulerReferee implements AutoCloseable {
    /** A trace that cannot be run, for example because of a malformed object. */
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

    private KubeSchedulerReferee(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        this.responses = process.inputReader(StandardCharsets.UTF_8);
    }

    /** @throws dev.berth.testkit.controlplane.MissingControlPlaneException if there is none */
    static KubeSchedulerReferee start() {
        List<String> command = ControlPlaneBinaries.find().command("scheduler-referee");
        try {
            Path errors = Files.createTempFile("berth-referee", ".log");
            return new KubeSchedulerReferee(
                    new ProcessBuilder(command).redirectError(errors.toFile()).start(), errors);
        } catch (IOException e) {
            throw new UncheckedIOException("(%s) could not be started".formatted(command), e);
        }
    }

    /** The decisions of kube-scheduler on the scheduled pods, in their order. */
    List<SchedulingOutcome> schedule(ClusterTrace clusterTrace) {
        JsonNode result = ApiObjects.parse(exchange(clusterTrace.json()));
        String problem = result.path("problem").asText();
        List<SchedulingOutcome> schedulingOutcomes = new ArrayList<>();
        for (JsonNode outcome : result.path("outcomes")) {
            String failure = outcome.path("failure").asText();
            problem = problem.isEmpty() ? failure : problem;
            schedulingOutcomes.add(SchedulingOutcome.fromJson(outcome));
        }
        if (!problem.isEmpty()) {
            throw new InvalidTraceException("seed (%d): %s".formatted(clusterTrace.seed(), problem));
        }
        return schedulingOutcomes;
    }

    private String exchange(String trace) {
        try {
            requests.write(trace);
            requests.write('\n');
            requests.flush();
            String result = responses.readLine();
            if (result == null) {
                throw new IllegalStateException("the referee ended with the output: " + Files.readString(errors));
            }
            return result;
        } catch (IOException e) {
            throw new UncheckedIOException("the referee does not answer any more", e);
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
            throw new UncheckedIOException("the referee could not be stopped", e);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
