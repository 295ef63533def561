package dev.berth.sandbox.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A complete response. Its bytes are encoded on demand and may be shared with other responses: read only. In-process
 * callers use the {@link #tree} instead and save the encoding.
 */
public final class BodyResponse implements RestResponse {

    private final int code;
    private final String contentType;
    private final List<String> warnings;
    private final Supplier<List<byte[]>> chunks;
    private final Supplier<Optional<ObjectNode>> tree;

    private BodyResponse(
            int code,
            String contentType,
            List<String> warnings,
            Supplier<List<byte[]>> chunks,
            Supplier<Optional<ObjectNode>> tree) {
        this.code = code;
        this.contentType = Objects.requireNonNull(contentType, "contentType");
        this.warnings = List.copyOf(warnings);
        this.chunks = chunks;
        this.tree = tree;
    }

    /** A response whose object and bytes are both computed on demand. */
    public static BodyResponse of(
            int code, String contentType, Supplier<List<byte[]>> chunks, Supplier<ObjectNode> tree) {
        return new BodyResponse(code, contentType, List.of(), chunks, () -> Optional.of(tree.get()));
    }

    public static BodyResponse text(int code, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new BodyResponse(code, "text/plain; charset=utf-8", List.of(), () -> List.of(bytes), Optional::empty);
    }

    public static BodyResponse bytes(int code, String contentType, byte[] bytes) {
        return new BodyResponse(code, contentType, List.of(), () -> List.of(bytes), Optional::empty);
    }

    public static BodyResponse json(int code, ObjectNode tree) {
        return of(
                code, "application/json", () -> List.of(tree.toString().getBytes(StandardCharsets.UTF_8)), () -> tree);
    }

    public BodyResponse withWarnings(List<String> warnings) {
        return warnings.isEmpty() ? this : new BodyResponse(code, contentType, warnings, chunks, tree);
    }

    @Override
    public int code() {
        return code;
    }

    @Override
    public String contentType() {
        return contentType;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    /** The body in consecutive parts; shared, read only. */
    public List<byte[]> chunks() {
        return chunks.get();
    }

    /** The body as one array. */
    public byte[] body() {
        List<byte[]> all = chunks();
        if (all.size() == 1) {
            return all.get(0);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(
                all.stream().mapToInt(each -> each.length).sum());
        all.forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** The object of the response, shared and read only; empty when the body is not an object. */
    public Optional<ObjectNode> tree() {
        return tree.get();
    }
}
