package dev.berth.e2e.prose;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation: its prose, headings, code words and links. Blocks of code are not part of it. */
final class MarkdownPage {
    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$");
    private static final Pattern NEW_PASSAGE = Pattern.compile("^\\s*(?:[-*] |\\d+\\. |#|\\||!\\[).*");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\(([^)]*)\\)");
    private static final String FENCE = "```";
    private static final String INDENTED_CODE = "    ";

    private final Path root;
    private final Path file;
    /** Empty where a block of code is. */
    private final List<String> lines = new ArrayList<>();

    private MarkdownPage(Path root, Path file) {
        this.root = root;
        this.file = file;
    }

    static MarkdownPage read(Path root, Path file) throws IOException {
        MarkdownPage page = new MarkdownPage(root, file);
        boolean fenced = false;
        boolean blankBefore = true;
        for (String line : Files.readAllLines(root.resolve(file))) {
            boolean fence = line.strip().startsWith(FENCE);
            boolean code = fenced || fence || (line.startsWith(INDENTED_CODE) && blankBefore);
            page.lines.add(code ? "" : line);
            fenced ^= fence;
            blankBefore = line.isBlank() || (code && !fence);
        }
        return page;
    }

    Path file() {
        return file;
    }

    List<String> headings() {
        return lines.stream()
                .map(HEADING::matcher)
                .filter(heading -> heading.matches())
                .map(heading -> heading.group(1).strip())
                .toList();
    }

    /** Paragraphs, items of lists and cells of tables. Code words are replaced by one word, links by their text. */
    List<Passage> passages() {
        List<Passage> passages = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        int start = 0;
        for (int i = 0; i <= lines.size(); i++) {
            String line = i < lines.size() ? lines.get(i) : "";
            if (line.isBlank() || NEW_PASSAGE.matcher(line).matches()) {
                addPassages(start, text.toString(), passages);
                text.setLength(0);
                start = line.isBlank() ? i + 1 : i;
            }
            text.append(line.strip()).append(' ');
        }
        return passages;
    }

    private void addPassages(int start, String text, List<Passage> passages) {
        boolean row = text.startsWith("|");
        for (String part : row ? text.split("\\|", -1) : new String[] {text}) {
            String plain = LINK.matcher(CODE.matcher(part).replaceAll("CODE"))
                    .replaceAll("$1")
                    .replaceAll("^[-*#\\d. ]+", "")
                    .strip();
            if (!plain.isEmpty()) {
                passages.add(new Passage(file, start + 1, plain));
            }
        }
    }

    /** Words in code type, with their lines. */
    Stream<Passage> codeWords() {
        return matches(CODE, 1);
    }

    /** Targets of links, with their lines. */
    Stream<Passage> links() {
        return matches(LINK, 2);
    }

    private Stream<Passage> matches(Pattern pattern, int group) {
        List<Passage> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            for (MatchResult match : pattern.matcher(lines.get(i)).results().toList()) {
                found.add(new Passage(file, i + 1, match.group(group)));
            }
        }
        return found.stream();
    }

    Path folder() {
        return root.resolve(file).resolveSibling("");
    }
}
