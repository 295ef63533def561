package dev.berth.e2e.prose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation names exists: types, files, packages and the targets of links. */
class DocumentedNamesTest {
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9]*");
    /** Two parts at least, so that a word at the beginning of a sentence is none. */
    private static final Pattern TYPE =
            Pattern.compile("([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+)(?:[.#]([a-z]\\w*))?(?:\\(\\))?");

    private static final Pattern PACKAGE = Pattern.compile("dev\\.berth(?:\\.[a-z0-9]+)+");
    private static final Pattern FLAG = Pattern.compile("(--[a-z][a-z-]+)(?: .*)?");
    private static final Set<String> MODULES = Set.of(
            "core",
            "engine",
            "kubernetes",
            "http",
            "client",
            "sandbox",
            "app",
            "up",
            "e2e",
            "kubeclient",
            "testkit",
            "bench");
    private static final Set<String> FOLDERS = Set.of("docs", "examples", "controlplane", "scripts");
    /** Options of programs that are not ours, and of the reader's. */
    private static final Set<String> FLAGS_OF_OTHER_PROGRAMS =
            Set.of("--cascade", "--server-side", "--cascade=foreground");

    @Test
    void everyTypeInTheDocumentationIsInTheSources() throws IOException {
        Set<String> words = wordsOfSources();
        List<String> unknown = new ArrayList<>();
        eachCodeWord(word -> {
            Matcher type = TYPE.matcher(word.text());
            if (type.matches()) {
                Stream.of(type.group(1), type.group(2) == null ? type.group(1) : type.group(2))
                        .distinct()
                        .filter(name -> !words.contains(name))
                        .forEach(name -> unknown.add("%s:%d: %s".formatted(word.file(), word.line(), name)));
            }
        });
        assertThat(unknown).as("names that no source has").isEmpty();
    }

    @Test
    void everyPathAndPackageInTheDocumentationExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int[] checked = {0};
        eachCodeWord(word -> {
            List<Path> candidates = candidates(word.text());
            if (!candidates.isEmpty()) {
                checked[0]++;
                if (candidates.stream().noneMatch(Files::exists)) {
                    missing.add("%s:%d: %s".formatted(word.file(), word.line(), word.text()));
                }
            }
        });
        assertThat(missing).as("paths that do not exist").isEmpty();
        assertThat(checked[0]).isGreaterThan(40);
    }

    @Test
    void everyFlagInTheDocumentationIsInTheSources() throws IOException {
        String sources = textOfSources();
        List<String> unknown = new ArrayList<>();
        eachCodeWord(word -> {
            Matcher flag = FLAG.matcher(word.text());
            if (flag.matches()
                    && !FLAGS_OF_OTHER_PROGRAMS.contains(flag.group(1))
                    && !sources.contains(flag.group(1))) {
                unknown.add("%s:%d: %s".formatted(word.file(), word.line(), word.text()));
            }
        });
        assertThat(unknown).as("flags that no command has").isEmpty();
    }

    @Test
    void everyLinkHasATarget() throws IOException {
        List<String> broken = new ArrayList<>();
        for (MarkdownPage page : SourceTree.pages()) {
            for (Passage link : page.links().toList()) {
                if (!link.text().contains("://") && !hasTarget(page, link.text())) {
                    broken.add("%s:%d: %s".formatted(link.file(), link.line(), link.text()));
                }
            }
        }
        assertThat(broken).as("links without a target").isEmpty();
    }

    private static boolean hasTarget(MarkdownPage page, String link) throws IOException {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty()
                ? SourceTree.ROOT.resolve(page.file())
                : page.folder().resolve(path).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0
                || MarkdownPage.read(SourceTree.ROOT, SourceTree.ROOT.relativize(target)).headings().stream()
                        .map(DocumentedNamesTest::anchor)
                        .anyMatch(link.substring(hash + 1)::equals);
    }

    /** As GitHub makes it of a heading. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private interface CodeWordConsumer {
        void accept(Passage word) throws IOException;
    }

    /** The changelog has old names, too. */
    private static void eachCodeWord(CodeWordConsumer consumer) throws IOException {
        for (MarkdownPage page : SourceTree.pages()) {
            if (!page.file().toString().equals("CHANGELOG.md")) {
                for (Passage word : page.codeWords().toList()) {
                    consumer.accept(word);
                }
            }
        }
    }

    /** Where a path or package may be: as it is written, or in the main or test sources of its module. */
    private static List<Path> candidates(String word) {
        if (PACKAGE.matcher(word).matches()) {
            String path = word.replace('.', '/');
            return MODULES.stream()
                    .flatMap(module -> Stream.of("main", "test")
                            .map(kind -> SourceTree.ROOT.resolve("%s/src/%s/java/%s".formatted(module, kind, path))))
                    .toList();
        }
        String path = word.replaceFirst("/?[^/]*<.*", "");
        int slash = path.indexOf('/');
        String first = slash < 0 ? "" : path.substring(0, slash);
        if (!path.matches("[\\p{L}\\p{N}/._…-]+") || (!MODULES.contains(first) && !FOLDERS.contains(first))) {
            return List.of();
        }
        String rest = path.substring(slash + 1).replaceFirst("^…/", "");
        return Stream.of(
                        path,
                        "%s/src/main/java/dev/berth/%1$s/%s".formatted(first, rest),
                        "%s/src/test/java/dev/berth/%1$s/%s".formatted(first, rest))
                .flatMap(place -> Stream.of(place, place + ".java"))
                .map(SourceTree.ROOT::resolve)
                .toList();
    }

    private static Set<String> wordsOfSources() throws IOException {
        Set<String> words = new HashSet<>();
        Matcher word = WORD.matcher(textOfSources());
        while (word.find()) {
            words.add(word.group());
        }
        return words;
    }

    private static String textOfSources() throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : SourceTree.files(DocumentedNamesTest::isSource)) {
            text.append(Files.readString(SourceTree.ROOT.resolve(file))).append('\n');
        }
        return text.toString();
    }

    private static boolean isSource(Path file) {
        String name = file.toString();
        boolean script =
                Set.of("berth", "check", "bench/run", "controlplane/build").contains(name);
        return script
                || Stream.of(".java", ".yaml", ".go", ".schema", ".fields").anyMatch(name::endsWith);
    }
}
