package dev.berth.kubernetes.door.nodeannotation;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.nodeannotation.NodeReservedResources;
import dev.berth.core.resource.MalformedQuantity;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads both forms of annotations that reserve resources of a node, for the pods of the owner with the UID:
 *
 * <pre>
 *   reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173: 5000m
 *   reserve.kubernetes.io/resources: [{"owner_uid": "a8f6f901-…", "reserved_resources": […]}]
 * </pre>
 *
 * Amounts of one resource for one owner are added up. A malformed value is reported and reserves nothing; the others
 * take effect.
 */
public final class NodeAnnotationParser {
    private static final String PREFIX = "reserve.";
    private static final String KUBERNETES_DOMAIN = "kubernetes.io";

    private NodeAnnotationParser() {}

    public static NodeReservedResources parse(Node node) {
        ParseResult parseResult = new ParseResult();
        node.annotations().forEach((key, value) -> {
            if (key.equals(ReserveListParser.KEY)) {
                ReserveListParser.parse(value, parseResult);
            } else if (key.startsWith(PREFIX)) {
                parseSingle(key, value, parseResult);
            }
        });
        return new NodeReservedResources(node.uid(), node.name(), parseResult.reservedByOwner, parseResult.problems);
    }

    private static void parseSingle(String key, String value, ParseResult parseResult) {
        int slash = key.indexOf('/');
        String name = slash < 0 ? key.substring(PREFIX.length()) : key.substring(PREFIX.length(), slash);
        String owner = slash < 0 ? "" : key.substring(slash + 1);
        boolean domain = name.contains(".") && !NodeReservedResources.isUid(owner);
        if (name.equals(KUBERNETES_DOMAIN)) {
            parseResult.addProblem("unknown annotation (%s). Maybe write %s.".formatted(key, ReserveListParser.KEY));
        } else if (domain && !isQuantity(value)) {
            // An annotation of another program, such as reserve.example.com/x: true. If the value is a quantity, a
            // resource is meant.
            return;
        } else if (!ParseResult.isSupportedResource(name)) {
            parseResult.addProblem(unsupportedMessage(key, domain && slash >= 0 ? name + "/" + owner : name));
        } else if (owner.isEmpty()) {
            parseResult.addProblem("annotation (%s) has no owner UID. Maybe write %s%s/<uid of the owner>."
                    .formatted(key, PREFIX, name));
        } else {
            parseResult.addReserved(owner, name, value, "annotation (%s)".formatted(key));
        }
    }

    private static String unsupportedMessage(String key, String resource) {
        return "annotation (%s): annotations cannot reserve the resource (%s), only cpu, memory, ephemeral-storage and hugepages-<size>, by %s<resource>/<uid of the owner>. A Reservation can reserve any resource."
                .formatted(key, resource, PREFIX);
    }

    private static boolean isQuantity(String value) {
        try {
            Quantity.parse(value);
            return true;
        } catch (MalformedQuantity | ArithmeticException none) {
            return false;
        }
    }

    /** The reserved resources and problems found so far. */
    static final class ParseResult {
        private final Map<String, Resources> reservedByOwner = new TreeMap<>();
        private final List<String> problems = new ArrayList<>();

        static boolean isSupportedResource(String resource) {
            return switch (resource) {
                case "cpu", "memory", "ephemeral-storage" -> true;
                default -> resource.startsWith("hugepages-");
            };
        }

        void addProblem(String message) {
            problems.add(message);
        }

        void addReserved(String owner, String resource, String quantity, String location) {
            try {
                Quantity amount = Quantity.parse(quantity);
                if (amount.isNegative()) {
                    addProblem("%s: (%s) of %s is negative".formatted(location, quantity, resource));
                    return;
                }
                ResourceName name = new ResourceName(resource);
                reservedByOwner.merge(owner, Resources.of(name, amount.amountOf(name)), Resources::plus);
            } catch (MalformedQuantity malformed) {
                addProblem("%s: %s".formatted(location, malformed.getMessage()));
            } catch (ArithmeticException tooMuch) {
                addProblem("%s: (%s) of %s exceeds 2^63-1".formatted(location, quantity, resource));
            }
        }
    }
}
