package dev.berth.sandbox.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one server knows beyond Kubernetes, as a fork of it would: further fields of built-in structs, and groups without
 * a dot that definitions of custom kinds may use. Clients see them like everything else: in OpenAPI, in answers, in
 * protobuf, and refused when they are wrong.
 */
public record SchemaExtensions(List<ExtraField> fields, Set<String> groups) {

    /** Kubernetes as it is. */
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

    /** Also lets definitions use this group, whose name needs no dot. */
    public SchemaExtensions withGroup(String group) {
        Set<String> more = new TreeSet<>(groups);
        more.add(group);
        return new SchemaExtensions(fields, more);
    }
}
