package dev.berth.app.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that says which test plays which broken promise names tests that exist. */
class RegressionTableTest {
    private static final String HEADING = "Promises that were broken";
    private static final Set<String> ON_A_REAL_CONTROL_PLANE =
            Set.of("1", "2", "3", "4", "6", "7", "9", "10", "12", "14", "15", "24");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)(?:#(\\w+))?`");

    @Test
    void everyRegressionHasATestAndWhereRequiredOneOnARealControlPlane() {
        List<List<String>> rows = MarkdownTable.rowsUnder(HEADING);
        assertThat(rows)
                .extracting(row -> row.get(0))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 27).mapToObj(Integer::toString).toList());
        assertThat(rows).allSatisfy(row -> assertThat(row.get(2)).contains("#"));
        assertThat(rows.stream().filter(row -> !row.get(3).isEmpty()).map(row -> row.get(0)))
                .containsExactlyInAnyOrderElementsOf(ON_A_REAL_CONTROL_PLANE);
    }

    @Test
    void everyPlantedDefectBelongsToARegression() {
        List<String> promises =
                MarkdownTable.rowsUnder(HEADING).stream().map(row -> row.get(0)).toList();
        assertThat(MarkdownTable.rowsUnder("Planted defects"))
                .extracting(row -> row.get(0).replaceFirst("[a-z]$", ""))
                .allSatisfy(number -> assertThat(promises).contains(number));
    }

    @Test
    void everyTestNamedInTheTableExists() throws IOException {
        Map<String, String> sources = sources();
        List<String> missing = new ArrayList<>();
        for (List<String> row : MarkdownTable.rowsUnder(HEADING)) {
            Matcher names = NAME.matcher(row.get(2) + row.get(3));
            while (names.find()) {
                String source = sources.getOrDefault(names.group(1), "");
                String method = names.group(2);
                boolean found = !source.isEmpty() && (method == null || source.contains("void %s(".formatted(method)));
                if (!found) {
                    missing.add("item %s: %s".formatted(row.get(0), names.group()));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** By simple name; those of namesakes in several modules one after the other. */
    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new HashMap<>();
        for (Path folder : folders()) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(it -> it.toString().endsWith(".java")).collect(Collectors.toList())) {
                    String name = file.getFileName().toString().replace(".java", "");
                    sources.merge(name, Files.readString(file), String::concat);
                }
            }
        }
        return sources;
    }

    private static List<Path> folders() throws IOException {
        try (Stream<Path> modules = Files.list(MarkdownTable.REPOSITORY)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
