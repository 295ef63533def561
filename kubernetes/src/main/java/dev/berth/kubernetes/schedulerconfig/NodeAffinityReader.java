package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A node affinity as a pod would have it, said of all pods of a profile. */
final class NodeAffinityReader {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
    private static final Map<String, Operator> OPERATORS = Map.of(
            "In", Operator.IN,
            "NotIn", Operator.NOT_IN,
            "Exists", Operator.EXISTS,
            "DoesNotExist", Operator.DOES_NOT_EXIST,
            "Gt", Operator.GT,
            "Lt", Operator.LT);

    private NodeAffinityReader() {}

    static NodeAffinity read(Setting affinity) {
        affinity.only(Set.of(REQUIRED, PREFERRED));
        return new NodeAffinity(Labels.NONE, required(affinity.at(REQUIRED)), preferred(affinity.at(PREFERRED)));
    }

    private static Optional<List<NodeTerm>> required(Setting selector) {
        if (!selector.isThere()) {
            return Optional.empty();
        }
        List<NodeTerm> terms = selector.only(Set.of("nodeSelectorTerms")).at("nodeSelectorTerms").items().stream()
                .map(NodeAffinityReader::term)
                .toList();
        if (terms.isEmpty()) {
            throw selector.wrong("has no nodeSelectorTerms, so that no node would match: name at least one");
        }
        return Optional.of(terms);
    }

    private static List<NodeAffinity.Preference> preferred(Setting list) {
        List<NodeAffinity.Preference> preferred = new ArrayList<>();
        for (Setting item : list.items()) {
            Setting weight = item.only(Set.of("weight", "preference")).at("weight");
            int worth = weight.number(1, 100).orElseThrow(() -> weight.wrong("must be a whole number from 1 to 100"));
            preferred.add(new NodeAffinity.Preference(worth, term(item.at("preference"))));
        }
        return preferred;
    }

    private static NodeTerm term(Setting term) {
        term.only(Set.of("matchExpressions", "matchFields"));
        List<Requirement> labels = term.at("matchExpressions").items().stream()
                .map(NodeAffinityReader::requirement)
                .toList();
        List<Requirement> fields = new ArrayList<>();
        for (Setting item : term.at("matchFields").items()) {
            Requirement field = requirement(item);
            boolean byName =
                    field.key().equals(NodeTerm.NAME_FIELD) && field.values().size() == 1;
            if (!byName || (field.operator() != Operator.IN && field.operator() != Operator.NOT_IN)) {
                throw item.wrong("must be metadata.name, In or NotIn, with one value");
            }
            fields.add(field);
        }
        return new NodeTerm(labels, fields);
    }

    private static Requirement requirement(Setting item) {
        item.only(Set.of("key", "operator", "values"));
        List<String> words = OPERATORS.keySet().stream().sorted().toList();
        Setting operator = item.at("operator");
        String word =
                operator.word(words).orElseThrow(() -> operator.wrong("must be one of " + String.join(", ", words)));
        try {
            return new Requirement(
                    item.at("key").name(),
                    Optional.ofNullable(OPERATORS.get(word)).orElseThrow(),
                    item.at("values").items().stream()
                            .map(value -> value.text().orElse(""))
                            .toList());
        } catch (IllegalArgumentException mismatch) {
            throw new IllegalArgumentException("%s: %s".formatted(item.path(), mismatch.getMessage()), mismatch);
        }
    }
}
