package dev.berth.sandbox.openapi;

import java.nio.charset.StandardCharsets;

/**
 * The old document, without definitions. All kubectl since 1.27 reads v3; it asks for this one only to check lists ({@code kind: List})
 * before it sends their items, and leaves unchecked what is not defined here. The server checks each item anyway.
 */
public final class OpenApiV2 {

    /** What kubectl accepts. It is no valid type, so it is answered with {@link #PROTOBUF_MEDIA_TYPE}. */
    public static final String ACCEPTED_MEDIA_TYPE = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

    /** What the answer in protobuf is called. */
    public static final String PROTOBUF_MEDIA_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    private static final String TITLE = "Kubernetes";
    private static final String VERSION = "v1.36";

    private OpenApiV2() {}

    /** The body of {@code /openapi/v2} as JSON. */
    public static byte[] json() {
        return "{\"swagger\":\"2.0\",\"info\":{\"title\":\"%s\",\"version\":\"%s\"},\"paths\":{},\"definitions\":{}}"
                .formatted(TITLE, VERSION)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** The same in protobuf: Document{1 swagger, 2 info{1 title, 2 version}, 8 paths, 9 definitions}. */
    public static byte[] protobuf() {
        String info = field(1, TITLE) + field(2, VERSION);
        return (field(1, "2.0") + field(2, info) + field(8, "") + field(9, "")).getBytes(StandardCharsets.US_ASCII);
    }

    /** Every length here is below 128: one byte. */
    private static String field(int number, String content) {
        return "" + (char) (number << 3 | 2) + (char) content.length() + content;
    }
}
