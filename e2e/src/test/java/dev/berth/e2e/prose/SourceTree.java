package dev.berth.e2e.prose;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of this repository, without what builds and tools write. */
final class SourceTree {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git");

    private SourceTree() {}

    /** The files by their paths in the repository, in order. */
    static List<Path> files(Predicate<Path> wanted) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Path relative = ROOT.relativize(file);
                if (wanted.test(relative)) {
                    files.add(relative);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        return files;
    }

    /** The documentation of users and contributors; what tests describe of themselves is not part of it. */
    static List<MarkdownPage> pages() throws IOException {
        List<MarkdownPage> pages = new ArrayList<>();
        for (Path file : files(SourceTree::isPage)) {
            pages.add(MarkdownPage.read(ROOT, file));
        }
        return pages;
    }

    private static boolean isPage(Path file) {
        String module = file.getName(0).toString();
        return file.toString().endsWith(".md")
                && !module.equals("testkit")
                && !file.toString().contains("/src/");
    }
}
