package dev.berth.e2e.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A script that was started, and what it says. */
final class ScriptProcess {
    private static final long TIMEOUT_SECONDS = 60;

    private final Process process;
    private final Path outputFile;

    private ScriptProcess(Process process, Path said) {
        this.process = process;
        this.outputFile = said;
    }

    /** How a script ended, and all it said. */
    record Result(int exitCode, String output) {}

    /** Starts it with the checkout's tools alone, in a folder that is not its own. */
    static ScriptProcess start(Checkout checkout, Path script, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(words));
        Path elsewhere = checkout.tools();
        Path said = Files.createTempFile("said", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(elsewhere.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", elsewhere.toString());
        builder.environment().putAll(environment);
        return new ScriptProcess(builder.start(), said);
    }

    /** Waits until it, or what it started, has come to this. */
    void await(Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as(output()).isLessThan(deadline);
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
    }

    String output() throws IOException {
        return Files.readString(outputFile);
    }

    /** Asks it to end, as closing its terminal would. */
    void stop() {
        process.destroy();
    }

    Result awaitExit() throws IOException, InterruptedException {
        boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String all = output();
        Files.delete(outputFile);
        assertThat(ended).as("ends in time, having said: %s", all).isTrue();
        return new Result(process.exitValue(), all);
    }

    /** Something that becomes true by itself. */
    interface Condition {
        boolean holds() throws IOException;
    }
}
