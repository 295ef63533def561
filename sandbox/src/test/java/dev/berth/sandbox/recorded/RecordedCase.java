package dev.berth.sandbox.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.berth.sandbox.unstructured.NestedFields;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One request sequence: an object to create, and perhaps a merge patch of it, also through its status, its
 * deletion, and a look at how it is printed.
 *
 * @param name a sentence, unique in its file
 */
record RecordedCase(
        String name,
        ObjectNode create,
        Optional<ObjectNode> status,
        Optional<ObjectNode> change,
        boolean deleted,
        boolean prints) {
    static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .build());

    static List<RecordedCase> in(String file) {
        List<RecordedCase> cases = new ArrayList<>();
        for (JsonNode item : read(file + ".yaml").path("cases")) {
            cases.add(new RecordedCase(
                    NestedFields.text(item, "case"),
                    NestedFields.object(item, "create")
                            .orElseThrow(() -> new IllegalStateException("no create: " + item)),
                    NestedFields.object(item, "status"),
                    NestedFields.object(item, "change"),
                    NestedFields.flag(item, "delete"),
                    NestedFields.flag(item, "print")));
        }
        return cases;
    }

    /** The definitions of custom kinds that the cases of a file need. */
    static List<ObjectNode> definitions(String file) {
        return NestedFields.objects(read(file + ".yaml"), "definitions");
    }

    static JsonNode answers(String file) {
        return read(file + ".answers.yaml");
    }

    String apiVersion() {
        return NestedFields.text(create, "apiVersion");
    }

    String kind() {
        return NestedFields.text(create, "kind");
    }

    private static JsonNode read(String name) {
        try (InputStream in = RecordedCase.class.getResourceAsStream("/recorded/" + name)) {
            if (in == null) {
                throw new IllegalStateException("no resource recorded/" + name);
            }
            return YAML.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
