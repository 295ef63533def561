package dev.berth.sandbox.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Extensions of one server, as a fork of Kubernetes would have them: extra fields of built-in structs, and groups without
 * a dot that CustomResourceDefinitions may use. Clients see them like other fields: in OpenAPI, in responses and in
 * protobuf. Invalid values are rejected.
 */
public record SchemaExtensions(List<ExtraField> fields, Set<String> groups) {

    /** No extensions. */
    public static final SchemaExtensions NONE = new SchemaExtensions(List.of(), Set.of());

    public SchemaExtensions {
        fields = List.copyOf(fields);
        groups = Set.copyOf(groups);
    }

    public SchemaExtensions withField(ExtraField field) {
        List<ExtraField> more = new ArrayList<>(fields);
        more.add(field);
        return new SchemaExtensions(more, groups);
    }

    /** Adds a group that CustomResourceDefinitions may use without a dot. */
    public SchemaExtensions withGroup(String group) {
        Set<String> more = new TreeSet<>(groups);
        more.add(group);
        return new SchemaExtensions(fields, more);
    }
}
