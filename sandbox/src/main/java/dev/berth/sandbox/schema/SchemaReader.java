package dev.berth.sandbox.schema;

import static dev.berth.sandbox.schema.FieldType.Alternative;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the generated schema. The README of the generator describes the format. An instance reads one schema. */
final class SchemaReader {

    private static final String JSON_SCHEMA =
            "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
    private static final Map<String, FieldType.Scalar> SCALARS = scalars();

    private final Map<String, StructSchema> structs = new LinkedHashMap<>();
    private final Map<String, StructSchema> metaKinds = new LinkedHashMap<>();
    private final List<KindSchema> kinds = new ArrayList<>();
    private final List<ExtraField> extras;

    SchemaReader(List<ExtraField> extras) {
        this.extras = extras;
    }

    BuiltInSchemas read(String text) {
        List<Entry> entries = entries(text);
        for (Entry entry : entries) {
            if (entry.is("struct")) {
                String name = entry.word(1);
                structs.put(name, new StructSchema(name, entry.words.contains("atomic")));
            }
        }
        entries.forEach(this::read);
        extras.forEach(this::add);
        structs.values().forEach(StructSchema::index);
        return new BuiltInSchemas(kinds, structs, metaKinds);
    }

    private void read(Entry entry) {
        switch (entry.word(0)) {
            case "struct" ->
                struct(entry.word(1))
                        .define(entry.parts.stream().map(this::field).toList());
            case "meta" -> metaKinds.put(entry.word(1), struct(entry.word(2)));
            case "kind" -> kinds.add(kind(entry));
            default ->
                throw new IllegalArgumentException(
                        "line (%s) of the schema starts with an unknown keyword".formatted(entry.words));
        }
    }

    private void add(ExtraField extra) {
        StructSchema owner = struct(extra.struct());
        for (FieldSchema own : owner.fields()) {
            if (own.name().equals(extra.name()) || (own.number() > 0 && own.number() == extra.number())) {
                throw new IllegalArgumentException(
                        "struct (%s) has a field (%s) with number (%d); field (%s) with number (%d) needs others"
                                .formatted(owner, own.name(), own.number(), extra.name(), extra.number()));
            }
        }
        owner.add(new FieldSchema(
                extra.name(),
                extra.number(),
                extra.type(),
                Set.of(FieldTrait.OMIT_EMPTY),
                new PatchStrategy(false, false, false, ""),
                new ListTopology(extra.type() instanceof FieldType.ListOf ? "atomic" : "", List.of(), ""),
                List.of()));
    }

    private FieldSchema field(List<String> words) {
        Flags flags = new Flags(words.subList(3, words.size()));
        String name = words.get(0);
        return new FieldSchema(
                name,
                Integer.parseInt(words.get(1)),
                type(words.get(2)),
                traits(name, flags),
                patch(flags),
                new ListTopology(flags.value("list"), flags.values("keys"), flags.value("map")),
                flags.values("enum"));
    }

    private static Set<FieldTrait> traits(String name, Flags flags) {
        Set<FieldTrait> traits = EnumSet.noneOf(FieldTrait.class);
        flags.addIf("ptr", traits, FieldTrait.POINTER);
        flags.addIf("omitempty", traits, FieldTrait.OMIT_EMPTY);
        flags.addIf("omitzero", traits, FieldTrait.OMIT_ZERO);
        flags.addIf("required", traits, FieldTrait.REQUIRED);
        if (name.equals("-")) {
            traits.add(FieldTrait.INLINE);
        }
        return traits;
    }

    private static PatchStrategy patch(Flags flags) {
        List<String> strategies = flags.values("patch");
        return new PatchStrategy(
                strategies.contains("merge"),
                strategies.contains("retainKeys"),
                strategies.contains("replace"),
                flags.value("key"));
    }

    private FieldType type(String word) {
        if (word.startsWith("[]")) {
            return new FieldType.ListOf(type(word.substring(2)));
        }
        if (word.startsWith("map:")) {
            return new FieldType.MapOf(type(word.substring(4)));
        }
        return switch (word) {
            case "schemaOrArray" -> new FieldType.Union(Alternative.ARRAY, struct(JSON_SCHEMA));
            case "schemaOrBool" -> new FieldType.Union(Alternative.BOOL, struct(JSON_SCHEMA));
            case "schemaOrStrings" -> new FieldType.Union(Alternative.STRINGS, struct(JSON_SCHEMA));
            default -> {
                FieldType.Scalar scalar = SCALARS.get(word);
                yield scalar != null ? scalar : new FieldType.StructOf(struct(word));
            }
        };
    }

    private KindSchema kind(Entry entry) {
        Flags flags = new Flags(entry.words.subList(7, entry.words.size()));
        String plural = entry.word(3).equals("-") ? "" : entry.word(3);
        String list = entry.word(6);
        return new KindSchema(
                GroupVersionKind.of(entry.word(1), entry.word(2)),
                new ResourceNames(plural, entry.word(4), flags.values("short"), flags.values("categories")),
                flags.has("namespaced"),
                new ResourceCapabilities(
                        flags.has("served"),
                        flags.values("verbs"),
                        entry.parts.stream().map(SchemaReader::subresource).toList()),
                struct(entry.word(5)),
                list.equals("-") ? Optional.empty() : Optional.of(struct(list)));
    }

    private static Subresource subresource(List<String> words) {
        return new Subresource(
                words.get(1),
                GroupVersionKind.of(words.get(2), words.get(3)),
                List.of(words.get(4).split(",")));
    }

    private StructSchema struct(String name) {
        StructSchema struct = structs.get(name);
        if (struct == null) {
            throw new IllegalArgumentException("struct (%s) is used by the schema but not in it".formatted(name));
        }
        return struct;
    }

    private static List<Entry> entries(String text) {
        List<Entry> entries = new ArrayList<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            if (line.startsWith(" ")) {
                entries.get(entries.size() - 1)
                        .parts
                        .add(List.of(line.substring(1).split(" ")));
            } else {
                entries.add(new Entry(List.of(line.split(" ")), new ArrayList<>()));
            }
        });
        return entries;
    }

    private static Map<String, FieldType.Scalar> scalars() {
        Map<String, FieldType.Scalar> byToken = new HashMap<>();
        for (FieldType.Scalar scalar : FieldType.Scalar.values()) {
            byToken.put(scalar.token(), scalar);
        }
        return Map.copyOf(byToken);
    }

    private record Entry(List<String> words, List<List<String>> parts) {
        boolean is(String first) {
            return words.get(0).equals(first);
        }

        String word(int index) {
            return words.get(index);
        }
    }

    /** The optional words at the end of a line: {@code flag} or {@code key=a,b}. */
    private record Flags(List<String> words) {
        boolean has(String flag) {
            return words.contains(flag);
        }

        String value(String key) {
            String prefix = key + "=";
            return words.stream()
                    .filter(word -> word.startsWith(prefix))
                    .map(word -> word.substring(prefix.length()))
                    .findFirst()
                    .orElse("");
        }

        List<String> values(String key) {
            String value = value(key);
            return value.isEmpty() ? List.of() : List.of(value.split(","));
        }

        void addIf(String flag, Set<FieldTrait> traits, FieldTrait trait) {
            if (has(flag)) {
                traits.add(trait);
            }
        }
    }
}
