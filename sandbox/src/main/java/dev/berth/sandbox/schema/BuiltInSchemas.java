package dev.berth.sandbox.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All built-in kinds and structs. Immutable. Servers without extra fields share one instance. */
public final class BuiltInSchemas {

    private static final String RESOURCE = "built-in.schema";

    private final List<KindSchema> kinds;
    private final Map<String, StructSchema> structs;
    private final Map<String, StructSchema> metaKinds;
    private final Map<GroupVersionKind, KindSchema> byKind = new HashMap<>();
    private final Map<GroupVersionResource, KindSchema> byResource = new HashMap<>();
    private final Map<GroupVersionKind, StructSchema> lists = new HashMap<>();

    BuiltInSchemas(List<KindSchema> kinds, Map<String, StructSchema> structs, Map<String, StructSchema> metaKinds) {
        this.kinds = List.copyOf(kinds);
        this.structs = Map.copyOf(structs);
        this.metaKinds = Map.copyOf(metaKinds);
        for (KindSchema kind : kinds) {
            byKind.put(kind.gvk(), kind);
            kind.list().ifPresent(list -> lists.put(kind.listGvk(), list));
            if (kind.isResource()) {
                byResource.put(kind.gvr(), kind);
            }
        }
    }

    /** The schemas without extra fields. */
    public static BuiltInSchemas load() {
        return Loaded.SCHEMAS;
    }

    /**
     * The schemas with extra fields.
     *
     * @throws IllegalArgumentException if the struct of a field does not exist or already has the name or number
     */
    public static BuiltInSchemas with(List<ExtraField> fields) {
        return fields.isEmpty() ? load() : new SchemaReader(fields).read(text());
    }

    /** All kinds in discovery order. {@link KindSchema#isServed()} tells whether the server serves a kind. */
    public List<KindSchema> kinds() {
        return kinds;
    }

    public Optional<KindSchema> find(GroupVersionKind gvk) {
        return Optional.ofNullable(byKind.get(gvk));
    }

    public Optional<KindSchema> findResource(String group, String version, String plural) {
        if (version.isEmpty() || plural.isEmpty()) {
            return Optional.empty();
        }
        return Optional.ofNullable(byResource.get(new GroupVersionResource(group, version, plural)));
    }

    /**
     * The struct of an object kind, of a list kind, or of a kind that exists in every group and version
     * ({@code Status}, {@code DeleteOptions}, {@code WatchEvent}, {@code PartialObjectMetadata}, …).
     */
    public Optional<StructSchema> structOf(GroupVersionKind gvk) {
        KindSchema kind = byKind.get(gvk);
        if (kind != null) {
            return Optional.of(kind.object());
        }
        StructSchema list = lists.get(gvk);
        return Optional.ofNullable(list != null ? list : metaKinds.get(gvk.kind()));
    }

    /** Finds a struct by its OpenAPI name, for example {@code io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta}. */
    public Optional<StructSchema> struct(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    /** All structs by OpenAPI name. */
    public Map<String, StructSchema> structs() {
        return structs;
    }

    /** The kinds that exist in every group and version. */
    public Map<String, StructSchema> metaKinds() {
        return metaKinds;
    }

    private static String text() {
        try (InputStream in = BuiltInSchemas.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(
                        "resource (%s) is missing from the program; it is written by controlplane/schema"
                                .formatted(RESOURCE));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource (%s) cannot be read".formatted(RESOURCE), e);
        }
    }

    private static final class Loaded {
        static final BuiltInSchemas SCHEMAS = new SchemaReader(List.of()).read(text());
    }
}
