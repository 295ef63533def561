package dev.berth.e2e.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProseRuleTest {
    private static final Pattern EXAMPLE = Pattern.compile(
            "^\\| (heading|message|commit subject) \\| `([^`]+)` \\| `([^`]+)` \\|$", Pattern.MULTILINE);

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            The pod is scheduled anew.                            | 'anew': write again
            Whoever has the key takes the place.                  | 'Whoever': write the noun
            the node of whom it is                                | 'whom': write the noun
            Somebody bound the pod.                               | 'Somebody': write the noun
            Nobody can use it.                                    | 'Nobody': write the noun
            it asks nobody who they are                           | 'who': write 'that'
            a pod who waits                                       | 'who': write 'that'
            capacity that is reserved for others                  | 'for others': write the noun
            Be rid of it                                          | 'Be rid': write 'remove'
            the pod waits in vain                                 | 'in vain': write 'without effect'
            nodes, pods and the like                              | 'the like': write the other things
            retry, for else the pod is lost                       | 'for else': write 'otherwise'
            the value makes no sense                              | 'makes no sense': write 'is invalid'
            (x) is none of its words                              | 'is none of': write 'must be one of
            any object, be it a pod                               | 'be it': write 'if'
            wait, lest the pod is lost                            | 'lest': write 'so that
            the pod and the status thereof                        | 'thereof': write a preposition
            there is no such file                                 | 'there is no such': write 'does not exist'
            Berth refuses the pod in words                        | 'in words': write 'with a message'
            pods that were sent away                              | 'sent away': write 'delete'
            the lease could not be let go                         | 'let go': write 'release'
            node n1 is gone                                       | 'is gone': write 'was deleted'
            the key stands there twice                            | 'stands there': write the plain verb
            a pod beside the hold                                 | 'beside': write 'next to'
            leave it out here                                     | 'leave it out': write 'remove'
            the list broke off                                    | 'broke off': write 'fail'
            the node has no room                                  | 'room': write 'capacity'
            2g is no number                                       | 'is no': write 'is not a
            Were the node smaller, the pod would wait.            | 'Were the': write 'if
            It waits. Had the pod a key, Berth would hold it.     | write 'if
            """)
    void aPhraseOfTheDialectIsFoundWithItsPlainForm(String text, String finding) {
        assertThat(ProseRule.findings(text))
                .anySatisfy(found -> assertThat(found).contains(finding));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0/3 nodes are available: 1 Insufficient cpu (6 held by Reservation for-guest until 12:00).",
                "No Reservation was created: the pod has no return key. Set the annotation a/b.",
                "There is no authentication.",
                "operators who need capacity, and tenants who write annotations",
                "the pod whose deletion is denied",
                "The pod was deleted and is no longer pending.",
                "--config b.yaml: the file does not exist",
                "the headroom of a node; bedrooms",
                "If the node were smaller, the pod would wait. The node had a taint.",
                "a small pod-who-waits.example.com name",
            })
    void plainEnglishHasNoFindings(String text) {
        assertThat(ProseRule.findings(text)).isEmpty();
    }

    @Test
    void aSentenceOfMoreThanFortyWordsIsFound() {
        String forty = "word ".repeat(ProseRule.MAX_WORDS).strip() + ".";
        assertThat(ProseRule.findings(forty)).isEmpty();
        assertThat(ProseRule.findings(forty + " " + forty)).isEmpty();
        assertThat(ProseRule.findings("One more " + forty))
                .singleElement()
                .asString()
                .startsWith("a sentence of 42 words ('One more word");
    }

    @Test
    void theExamplesOfTheContributingGuideShowWhatTheRuleFinds() throws IOException {
        String guide = Files.readString(SourceTree.ROOT.resolve("CONTRIBUTING.md"));
        List<MatchResult> examples = EXAMPLE.matcher(guide).results().toList();
        assertThat(examples).hasSize(3).allSatisfy(example -> {
            assertThat(ProseRule.findings(example.group(2))).as("before").isNotEmpty();
            assertThat(ProseRule.findings(example.group(3))).as("after").isEmpty();
        });
    }

    @Test
    void codeOnAPageIsNotCheckedAsProse() throws IOException {
        Files.writeString(folder.resolve("page.md"), """
                # Title

                First line with `nobody` in code
                and a [link](whoever.md) in the second.

                ```sh
                echo whoever
                ```

                    whoever

                - an item
                  of two lines
                | `nobody` | a cell |
                """);
        MarkdownPage page = MarkdownPage.read(folder, Path.of("page.md"));
        assertThat(page.passages())
                .extracting(passage -> passage.line() + " " + passage.text())
                .containsExactly(
                        "1 Title",
                        "3 First line with CODE in code and a link in the second.",
                        "12 an item of two lines",
                        "14 CODE",
                        "14 a cell");
        assertThat(page.codeWords()).extracting(Passage::text).containsExactly("nobody", "nobody");
        assertThat(page.links()).extracting(Passage::text).containsExactly("whoever.md");
    }

    @Test
    void stringsOfJavaAreReadWithoutCommentsAndJoined() throws IOException {
        Path source = folder.resolve("Sample.java");
        Files.writeString(source, """
                /** A comment nobody reads. */
                class Sample {
                    // Another one.
                    @Deprecated(since = "a text of an annotation")
                    String text(int node) {
                        return "pod (%s) on node "
                                + node + (node > 0 ? " has failed twice" : "")
                                + " is pending";
                    }
                    String key = "single";
                }
                """);
        assertThat(SourceStrings.read(folder, List.of(source)))
                .extracting(passage -> passage.file() + ":" + passage.line() + " " + passage.text())
                .containsExactly(
                        "Sample.java:4 a text of an annotation",
                        "Sample.java:6 pod (%s) on node …… is pending",
                        "Sample.java:7  has failed twice");
    }
}
