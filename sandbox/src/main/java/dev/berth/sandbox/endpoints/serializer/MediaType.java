package dev.berth.sandbox.endpoints.serializer;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The media types of objects. */
public enum MediaType {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String mime;

    MediaType(String mime) {
        this.mime = mime;
    }

    public String mime() {
        return mime;
    }

    /** The media type of that name, without parameters. */
    static Optional<MediaType> find(String type) {
        int parameters = type.indexOf(';');
        String name =
                (parameters < 0 ? type : type.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
        for (MediaType each : values()) {
            if (each.mime.equals(name)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** The names that error messages list. */
    static List<String> names(boolean withProtobuf) {
        return withProtobuf ? List.of(JSON.mime, YAML.mime, PROTOBUF.mime) : List.of(JSON.mime, YAML.mime);
    }
}
