package dev.berth.kubernetes.door.annotation;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.annotation.NodeReserves;
import dev.berth.core.resource.MalformedQuantity;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads both forms in which room is kept on a node, for the pods of an object that is named by its UID:
 *
 * <pre>
 *   reserve.cpu/a8f6f901-47c9-4475-b1f4-cac44597e173: 5000m
 *   reserve.kubernetes.io/resources: [{"owner_uid": "a8f6f901-…", "reserved_resources": […]}]
 * </pre>
 *
 * What several of them keep of one resource for one owner adds up. What makes no sense is told and keeps nothing, the
 * rest counts.
 */
public final class NodeAnnotations {
    private static final String PREFIX = "reserve.";
    private static final String OURS = "kubernetes.io";

    private NodeAnnotations() {}

    public static NodeReserves read(Node node) {
        Draft draft = new Draft();
        node.annotations().forEach((key, value) -> {
            if (key.equals(ReserveList.KEY)) {
                ReserveList.read(value, draft);
            } else if (key.startsWith(PREFIX)) {
                single(key, value, draft);
            }
        });
        return new NodeReserves(node.uid(), node.name(), draft.kept, draft.problems);
    }

    private static void single(String key, String value, Draft draft) {
        int slash = key.indexOf('/');
        String name = slash < 0 ? key.substring(PREFIX.length()) : key.substring(PREFIX.length(), slash);
        String owner = slash < 0 ? "" : key.substring(slash + 1);
        boolean domain = name.contains(".") && !NodeReserves.isUid(owner);
        if (name.equals(OURS)) {
            draft.problem("annotation (%s) is not known. Maybe write %s.".formatted(key, ReserveList.KEY));
        } else if (domain && !isQuantity(value)) {
            // Another program's, as in reserve.example.com/x: true. A quantity there is meant to be kept of a resource.
            return;
        } else if (!Draft.isKnown(name)) {
            draft.problem(notKept(key, domain && slash >= 0 ? name + "/" + owner : name));
        } else if (owner.isEmpty()) {
            draft.problem("annotation (%s) names no owner. Maybe write %s%s/<uid of the owner>."
                    .formatted(key, PREFIX, name));
        } else {
            draft.keep(owner, name, value, "annotation (%s)".formatted(key));
        }
    }

    private static String notKept(String key, String resource) {
        return ("annotation (%s): resource (%s) cannot be kept this way; cpu, memory, ephemeral-storage and hugepages-<size>"
                        + " can, by %s<resource>/<uid of the owner>. A Reservation can keep any resource.")
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

    /** What has been understood so far. */
    static final class Draft {
        private final Map<String, Resources> kept = new TreeMap<>();
        private final List<String> problems = new ArrayList<>();

        static boolean isKnown(String resource) {
            return switch (resource) {
                case "cpu", "memory", "ephemeral-storage" -> true;
                default -> resource.startsWith("hugepages-");
            };
        }

        void problem(String words) {
            problems.add(words);
        }

        void keep(String owner, String resource, String quantity, String where) {
            try {
                Quantity amount = Quantity.parse(quantity);
                if (amount.isNegative()) {
                    problem("%s: (%s) of %s is negative".formatted(where, quantity, resource));
                    return;
                }
                ResourceName name = new ResourceName(resource);
                kept.merge(owner, Resources.of(name, amount.amountOf(name)), Resources::plus);
            } catch (MalformedQuantity malformed) {
                problem("%s: %s".formatted(where, malformed.getMessage()));
            } catch (ArithmeticException tooMuch) {
                problem("%s: (%s) of %s is more than can be counted".formatted(where, quantity, resource));
            }
        }
    }
}
