package dev.berth.e2e.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users read plain English: in the documentation, in messages, in the help of commands, in manifests. */
class PlainEnglishTest {
    /** Texts of other programs, which users' tools may match. Berth has them word for word. */
    private static final Set<String> TEXTS_OF_OTHER_PROGRAMS = Set.of(
            // kube-extended-resource
            "there are no such %s extended resource");

    private static final List<String> SCRIPTS =
            List.of("berth", "check", "bench/run", "controlplane/build", "scripts/build.sh");

    private static final Map<String, List<String>> REQUIRED_HEADINGS = Map.of(
            "README.md", List.of("Install", "Limitations", "Documentation"),
            "docs/running.md",
                    List.of(
                            "Install",
                            "Uninstall",
                            "Upgrade",
                            "Configuration",
                            "Authentication",
                            "High availability",
                            "Troubleshooting"),
            "docs/operation.md", List.of("Health", "Metrics", "The log"),
            "docs/parity.md", List.of("Differences from kube-scheduler"),
            "docs/preemption.md", List.of("Differences from kube-scheduler"),
            "docs/doors/koordinator.md", List.of("Limitations", "Differences from Koordinator"),
            "docs/doors/godel.md", List.of("Limitations", "Differences from Gödel"),
            "docs/doors/node-annotation.md", List.of("Limitations", "Differences from scheduler-plugin-demo"),
            "docs/doors/globalreserve.md", List.of("Limitations", "Differences from kube-globalreserve"),
            "docs/doors/devices.md", List.of("Limitations", "Differences from kube-extended-resource"));

    @Test
    void documentationIsPlainEnglish() throws IOException {
        List<Passage> passages = new ArrayList<>();
        for (MarkdownPage page : SourceTree.pages()) {
            passages.addAll(page.passages());
        }
        assertThat(passages).hasSizeGreaterThan(1_000);
        assertNoFindings(passages.stream());
    }

    @Test
    void messagesAndUsageTextsArePlainEnglish() throws IOException {
        List<Passage> texts = SourceStrings.read(SourceTree.ROOT, mainSources());
        assertThat(texts).hasSizeGreaterThan(2_000);
        assertNoFindings(texts.stream().filter(text -> !TEXTS_OF_OTHER_PROGRAMS.contains(text.text())));
    }

    @Test
    void everyExceptionIsStillInTheSources() throws IOException {
        Set<String> texts = new HashSet<>();
        SourceStrings.read(SourceTree.ROOT, mainSources()).forEach(text -> texts.add(text.text()));
        assertThat(texts).containsAll(TEXTS_OF_OTHER_PROGRAMS);
        assertThat(TEXTS_OF_OTHER_PROGRAMS)
                .allSatisfy(text -> assertThat(ProseRule.findings(text)).isNotEmpty());
    }

    @Test
    void scriptsAndManifestsArePlainEnglish() throws IOException {
        List<Passage> lines = new ArrayList<>();
        for (Path file : SourceTree.files(PlainEnglishTest::isScriptOrManifest)) {
            List<String> all = Files.readAllLines(SourceTree.ROOT.resolve(file));
            for (int i = 0; i < all.size(); i++) {
                lines.add(new Passage(file, i + 1, all.get(i)));
            }
        }
        assertThat(lines).hasSizeGreaterThan(1_000);
        assertNoFindings(lines.stream());
    }

    @Test
    void pagesHaveTheHeadingsThatPeopleSearchFor() throws IOException {
        for (MarkdownPage page : SourceTree.pages()) {
            List<String> required = REQUIRED_HEADINGS.getOrDefault(page.file().toString(), List.of());
            assertThat(page.headings()).as(page.file().toString()).containsAll(required);
        }
        assertThat(SourceTree.pages().stream().map(page -> page.file().toString()))
                .containsAll(REQUIRED_HEADINGS.keySet());
    }

    /** All that users can see the strings of; testkit is for tests alone. */
    private static List<Path> mainSources() throws IOException {
        return SourceTree.files(file -> file.toString().contains("/src/main/java/")
                        && file.toString().endsWith(".java")
                        && !file.startsWith("testkit"))
                .stream()
                .map(SourceTree.ROOT::resolve)
                .toList();
    }

    /** The pages of the original tools have comments of their own in their examples. */
    private static boolean isScriptOrManifest(Path file) {
        String name = file.toString();
        return SCRIPTS.contains(name)
                || (name.endsWith(".yaml")
                        && (name.contains("/src/main/resources/") || name.startsWith("examples/"))
                        && !name.startsWith("examples/koordinator/"));
    }

    private static void assertNoFindings(Stream<Passage> passages) {
        assertThat(passages.flatMap(Passage::findings)).isEmpty();
    }
}
