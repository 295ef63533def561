package dev.berth.core.door;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps between the wire and the ledger that the package documentation of each door lists. */
class DoorPathsTest {
    private static final Path DOORS = Path.of("src/main/java/dev/berth/core/door");
    private static final List<String> MODULES = List.of("core", "engine", "kubernetes", "http");
    private static final int MAX_STEPS_TO_LEDGER = 10;
    private static final int MAX_STEPS_TO_WIRE = 6;
    /** A line of a list has one step, or two steps beside each other. */
    private static final Pattern STEP = Pattern.compile("(\\d+)\\. (.+?)(?= {3,}\\d+\\. |$)");

    private static final Pattern CLASS = Pattern.compile("\\b[A-Z][a-z]\\w+\\b");

    @ParameterizedTest
    @EnumSource
    void listedStepsNameExistingClassesAndKeepTheLimits(Origin.DoorId doorId) throws IOException {
        String door = doorId.text().replace("-", "");
        List<String> toLedger = new ArrayList<>();
        List<String> toWire = new ArrayList<>();
        for (String line : Files.readAllLines(DOORS.resolve(door).resolve("package-info.java"))) {
            Matcher step = STEP.matcher(line);
            while (step.find()) {
                int number = Integer.parseInt(step.group(1));
                if (step.group(2).matches("(ApiClient|HttpListener)\\b.*") && number > 1) {
                    toWire.add(step.group());
                    assertThat(number).as(step.group()).isLessThanOrEqualTo(MAX_STEPS_TO_WIRE);
                }
                if (step.group(2).startsWith("Ledger") || step.group(2).startsWith("DeviceInventory")) {
                    toLedger.add(step.group());
                }
                assertThat(number).as(step.group()).isLessThanOrEqualTo(MAX_STEPS_TO_LEDGER);
                assertThat(classNames())
                        .as(step.group())
                        .containsAll(CLASS.matcher(step.group(2).replaceAll(", the result .*", ""))
                                .results()
                                .map(found -> found.group())
                                .toList());
            }
        }
        assertThat(toLedger).as("lists that end at the ledger").isNotEmpty();
        assertThat(toWire).as("lists that end at the wire").isNotEmpty();
    }

    private static Set<String> classNames() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
                sources.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
            }
        }
        Set<String> names = files.stream()
                .map(file -> file.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());
        names.add("Reply");
        return names;
    }
}
