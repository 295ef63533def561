package dev.berth.e2e.prose;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The strings of Java sources that are text for people. Parts of one concatenation are one text, comments are none. */
final class SourceStrings extends TreeScanner<Void, List<Passage>> {
    private static final Pattern TEXT = Pattern.compile("[\\p{L})%}'\"]{2,}[,:;.]? [\\p{L}(%{'\"]");
    private static final String COMPUTED = "…";

    private final Path root;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private SourceStrings(Path root, CompilationUnitTree unit, SourcePositions positions) {
        this.root = root;
        this.unit = unit;
        this.positions = positions;
    }

    static List<Passage> read(Path root, List<Path> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<Passage> texts = new ArrayList<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new SourceStrings(root, unit, positions).scan(unit, texts);
            }
        }
        return texts;
    }

    @Override
    public Void visitLiteral(LiteralTree literal, List<Passage> texts) {
        add(literal, texts);
        return null;
    }

    @Override
    public Void visitBinary(BinaryTree binary, List<Passage> texts) {
        if (text(binary).isEmpty()) {
            return super.visitBinary(binary, texts);
        }
        add(binary, texts);
        scanComputedParts(binary, texts);
        return null;
    }

    /** The parts that are no strings may contain strings of their own. */
    private void scanComputedParts(Tree tree, List<Passage> texts) {
        if (tree instanceof ParenthesizedTree parentheses) {
            scanComputedParts(parentheses.getExpression(), texts);
        } else if (tree instanceof BinaryTree binary && text(binary).isPresent()) {
            scanComputedParts(binary.getLeftOperand(), texts);
            scanComputedParts(binary.getRightOperand(), texts);
        } else if (!(tree instanceof LiteralTree)) {
            scan(tree, texts);
        }
    }

    private void add(Tree tree, List<Passage> texts) {
        text(tree).filter(it -> TEXT.matcher(it).find()).ifPresent(it -> {
            long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
            texts.add(new Passage(root.relativize(Path.of(unit.getSourceFile().toUri())), line, it));
        });
    }

    /** A string, or a concatenation with at least one string. */
    private static Optional<String> text(Tree tree) {
        if (tree instanceof LiteralTree literal) {
            return literal.getValue() instanceof String string ? Optional.of(string) : Optional.empty();
        }
        if (tree instanceof ParenthesizedTree parentheses) {
            return text(parentheses.getExpression());
        }
        if (!(tree instanceof BinaryTree binary) || binary.getKind() != Tree.Kind.PLUS) {
            return Optional.empty();
        }
        Optional<String> left = text(binary.getLeftOperand());
        Optional<String> right = text(binary.getRightOperand());
        return left.isEmpty() && right.isEmpty()
                ? Optional.empty()
                : Optional.of(left.orElse(COMPUTED) + right.orElse(COMPUTED));
    }
}
