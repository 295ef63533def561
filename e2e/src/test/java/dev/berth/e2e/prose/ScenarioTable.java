package dev.berth.e2e.prose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The tests that prove the numbered scenarios of Koordinator's Reservation, read from the sources. */
final class ScenarioTable {
    private static final Pattern ANNOTATION = Pattern.compile("@Scenario\\(\\{?([\\d, ]+)\\}?\\)");
    private static final Pattern METHOD = Pattern.compile("\\n    void (\\w+)\\(");
    private static final String PROLOGUE = """
            # Scenarios of Koordinator's Reservation

            Each row is a scenario and a test that proves it. The numbers are those of the annotation `@Scenario` in the tests. The tests
            whose module is `e2e` run on the cluster of `berth up` and on a real control plane. A test of the build compares this page with
            the sources.

            Some numbers have no row. The scenarios 47 and 83 are about parts of Koordinator that Berth does not have. Scenario 49 differs on
            purpose: see [Differences from Koordinator](koordinator.md#differences-from-koordinator).

            The scenarios 75, 100 and 113 to 124 are about devices, NUMA nodes and CPU sets, and so is a part of 126. A part of 130 is about gangs.
            Berth [rejects these features](koordinator.md#features-that-berth-rejects) with a message. The tests of that are
            `UnsupportedKoordinatorFeaturesTest`, `UnsupportedReservationFeaturesTest` and `UnsupportedReservationTest`.

            Of the scenarios with a row, these are proved with a difference:

            | number | difference |
            |---|---|
            | 50 | the restriction by the Reservation ignores the resource. The node must still have it |
            | 144 | an edited record moves the amounts only while no status lists the pod |
            | 145 | a pod that has a node keeps it: Kubernetes never removes `spec.nodeName` |

            | number | scenario | module | test |
            |---|---|---|---|
            """;

    private ScenarioTable() {}

    record Row(int number, String module, String testClass, String method) {
        private static final Comparator<Row> ORDER = Comparator.comparingInt(Row::number)
                .thenComparing(Row::module)
                .thenComparing(Row::testClass)
                .thenComparing(Row::method);

        /** The name of the method as a sentence. */
        private String sentence() {
            String words = method.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
            return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
        }

        private String markdown() {
            return "| %d | %s | `%s` | `%s` |\n".formatted(number, sentence(), module, testClass);
        }
    }

    static List<Row> readRows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Path file : SourceTree.files(path -> path.toString().endsWith("Test.java"))) {
            addRows(file, rows);
        }
        rows.sort(Row.ORDER);
        return rows;
    }

    private static void addRows(Path file, List<Row> rows) throws IOException {
        String source = Files.readString(SourceTree.ROOT.resolve(file));
        String testClass = file.getFileName().toString().replace(".java", "");
        Matcher annotation = ANNOTATION.matcher(source);
        while (annotation.find()) {
            Matcher method = METHOD.matcher(source);
            if (!method.find(annotation.end())) {
                throw new IllegalStateException("%s: no method after %s".formatted(file, annotation.group()));
            }
            for (int number : numbers(annotation.group(1))) {
                rows.add(new Row(number, file.getName(0).toString(), testClass, method.group(1)));
            }
        }
    }

    private static Set<Integer> numbers(String list) {
        return Arrays.stream(list.split(","))
                .map(number -> Integer.valueOf(number.strip()))
                .collect(Collectors.toSet());
    }

    /** The page for users, with these rows. */
    static String markdown(List<Row> rows) {
        return PROLOGUE + rows.stream().map(Row::markdown).collect(Collectors.joining());
    }
}
