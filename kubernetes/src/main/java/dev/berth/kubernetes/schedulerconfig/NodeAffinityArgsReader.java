package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the arguments of NodeAffinity: a node affinity for all pods of a profile. */
final class NodeAffinityArgsReader {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private NodeAffinityArgsReader() {}

    static NodeAffinity read(ConfigNode affinity) {
        affinity.allowKeys(Set.of(REQUIRED, PREFERRED));
        return new NodeAffinity(Labels.NONE, required(affinity.get(REQUIRED)), preferred(affinity.get(PREFERRED)));
    }

    private static Optional<List<NodeSelectorTerm>> required(ConfigNode selector) {
        if (!selector.isPresent()) {
            return Optional.empty();
        }
        List<NodeSelectorTerm> terms =
                selector.allowKeys(Set.of("nodeSelectorTerms")).get("nodeSelectorTerms").items().stream()
                        .map(NodeAffinityArgsReader::term)
                        .toList();
        if (terms.isEmpty()) {
            throw selector.invalid("has no nodeSelectorTerms, so no node would match. Add at least one term");
        }
        return Optional.of(terms);
    }

    private static List<NodeAffinity.PreferredSchedulingTerm> preferred(ConfigNode list) {
        List<NodeAffinity.PreferredSchedulingTerm> preferred = new ArrayList<>();
        for (ConfigNode item : list.items()) {
            ConfigNode weight = item.allowKeys(Set.of("weight", "preference")).get("weight");
            int weightValue =
                    weight.number(1, 100).orElseThrow(() -> weight.invalid("must be a whole number from 1 to 100"));
            preferred.add(new NodeAffinity.PreferredSchedulingTerm(weightValue, term(item.get("preference"))));
        }
        return preferred;
    }

    private static NodeSelectorTerm term(ConfigNode term) {
        term.allowKeys(Set.of("matchExpressions", "matchFields"));
        List<Requirement> labels = term.get("matchExpressions").items().stream()
                .map(NodeAffinityArgsReader::requirement)
                .toList();
        List<Requirement> fields = new ArrayList<>();
        for (ConfigNode item : term.get("matchFields").items()) {
            Requirement field = requirement(item);
            boolean byName = field.key().equals(NodeSelectorTerm.NAME_FIELD)
                    && field.values().size() == 1;
            if (!byName || (field.operator() != Operator.IN && field.operator() != Operator.NOT_IN)) {
                throw item.invalid("must be metadata.name, In or NotIn, with one value");
            }
            fields.add(field);
        }
        return new NodeSelectorTerm(labels, fields);
    }

    private static Requirement requirement(ConfigNode item) {
        item.allowKeys(Set.of("key", "operator", "values"));
        List<String> operators = Operator.apiNames().stream().sorted().toList();
        ConfigNode operator = item.get("operator");
        String word = operator.oneOf(operators)
                .orElseThrow(() -> operator.invalid("must be one of " + String.join(", ", operators)));
        try {
            return new Requirement(
                    item.get("key").requiredText(),
                    Operator.find(word).orElseThrow(),
                    item.get("values").items().stream()
                            .map(value -> value.text().orElse(""))
                            .toList());
        } catch (IllegalArgumentException mismatch) {
            throw new IllegalArgumentException("%s: %s".formatted(item.path(), mismatch.getMessage()), mismatch);
        }
    }
}
