package dev.berth.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** The report of a benchmark: printed as it grows, and written to a file if one is named. */
public final class BenchmarkReport {
    private final StringBuilder text = new StringBuilder();
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    /** Starts with the title and the machine. */
    public BenchmarkReport(String title) {
        println(title);
        println("%s, Java %s, %d cores, %s"
                .formatted(
                        System.getProperty("os.name"),
                        Runtime.version(),
                        Runtime.getRuntime().availableProcessors(),
                        InstantSource.system().instant()));
    }

    public void println(String line) {
        text.append(line).append('\n');
        out.println(line);
    }

    /** Writes the report to the file that the arguments of the benchmark name, if there is one. */
    public void saveTo(String[] args) throws IOException {
        if (args.length > 0 && !args[0].isEmpty()) {
            Files.writeString(Path.of(args[0]), text.toString());
        }
    }
}
