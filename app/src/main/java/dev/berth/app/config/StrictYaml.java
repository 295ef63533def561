package dev.berth.app.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.app.cli.UserError;
import dev.berth.kubeclient.kubeconfig.YamlErrors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.yaml.snakeyaml.error.YAMLException;

/** Parses YAML strictly: duplicate keys and further documents are rejected. */
final class StrictYaml {
    private static final YAMLMapper MAPPER = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private StrictYaml() {}

    /** The parsed text; empty if the text is empty. */
    static ConfigSection read(String text, Path source) {
        try (JsonParser parser = MAPPER.createParser(text)) {
            return read(parser, source);
        } catch (JsonProcessingException malformed) {
            throw UserError.invalidSetting(
                    "%s is not YAML: %s".formatted(source, describeProblem(malformed)), malformed);
        } catch (IllegalArgumentException wrong) {
            throw UserError.invalidSetting("%s: %s".formatted(source, wrong.getMessage()), wrong);
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text in memory cannot be read", impossible);
        }
    }

    private static ConfigSection read(JsonParser parser, Path source) throws IOException {
        try {
            JsonNode tree = MAPPER.readTree(parser);
            for (JsonToken next = parser.nextToken(); next != null; next = parser.nextToken()) {
                if (next != JsonToken.VALUE_NULL) {
                    throw new IllegalArgumentException("a second YAML document follows after (---). Remove it");
                }
            }
            boolean empty = tree == null || tree.isMissingNode() || tree.isNull();
            return new ConfigSection("", empty ? MissingNode.getInstance() : tree);
        } catch (JsonProcessingException malformed) {
            if (malformed.getOriginalMessage().startsWith("Duplicate field")) {
                throw UserError.invalidSetting(
                        "%s: key (%s) occurs twice. Remove one".formatted(source, path(parser.getParsingContext())),
                        malformed);
            }
            throw malformed;
        }
    }

    private static String path(JsonStreamContext context) {
        JsonStreamContext parent = context.getParent();
        String before = parent == null ? "" : path(parent);
        if (context.inArray()) {
            return "%s[%d]".formatted(before, context.getCurrentIndex());
        }
        if (!context.hasCurrentName()) {
            return before;
        }
        return before.isEmpty() ? context.getCurrentName() : before + "." + context.getCurrentName();
    }

    private static String describeProblem(JsonProcessingException malformed) {
        return malformed.getCause() instanceof YAMLException yaml
                ? YamlErrors.message(yaml)
                : malformed.getOriginalMessage();
    }
}
