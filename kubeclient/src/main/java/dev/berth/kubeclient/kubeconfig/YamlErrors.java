package dev.berth.kubeclient.kubeconfig;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Describes a YAML error in one line: the library's message has several lines and an excerpt. */
public final class YamlErrors {
    private YamlErrors() {}

    /** The position, if it is known, and the error. */
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
