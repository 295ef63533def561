package dev.berth.kubernetes.kubeconfig;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** What is wrong with a text that is no YAML, in one line: the library adds an excerpt, and other positions to it. */
public final class YamlErrors {
    private YamlErrors() {}

    /** Where it is, if that is known, and what it is. */
    public static String message(YAMLException malformed) {
        if (malformed instanceof MarkedYAMLException marked
                && marked.getProblemMark() != null
                && marked.getProblem() != null) {
            Mark mark = marked.getProblemMark();
            return "line %d, column %d: %s".formatted(mark.getLine() + 1, mark.getColumn() + 1, marked.getProblem());
        }
        return String.valueOf(malformed.getMessage()).lines().findFirst().orElse("it cannot be read");
    }
}
