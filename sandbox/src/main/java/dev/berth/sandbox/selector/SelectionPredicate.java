package dev.berth.sandbox.selector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.unstructured.ObjectMetaReader;

/** What a list or watch wants of one kind: a namespace (empty: all), labels and fields. */
public record SelectionPredicate(
        String namespace, LabelSelector labels, FieldSelector fields, SelectableFields selectableFields) {

    /** A selection by the texts of a request; refuses what cannot be read and fields the kind does not offer. */
    public static SelectionPredicate of(String namespace, String labels, String fields, SelectableFields readers)
            throws SelectorSyntaxException {
        FieldSelector byField = FieldSelector.parse(fields);
        for (FieldSelector.Term term : byField.terms()) {
            if (!readers.supports(term.field())) {
                throw new SelectorSyntaxException(readers.unsupportedFieldMessage(term.field()));
            }
        }
        return new SelectionPredicate(namespace, LabelSelectorParser.parse(labels), byField, readers);
    }

    /** Whether the selection lets everything of its namespace through. */
    public boolean isUnfiltered() {
        return labels.isEmpty() && fields.terms().isEmpty();
    }

    public boolean matches(ObjectNode object) {
        if (!namespace.isEmpty() && !namespace.equals(ObjectMetaReader.namespace(object))) {
            return false;
        }
        for (FieldSelector.Term term : fields.terms()) {
            if (selectableFields.value(object, term.field()).equals(term.value()) != term.equal()) {
                return false;
            }
        }
        return labels.isEmpty() || labels.matches(Labels.of(ObjectMetaReader.labels(object)));
    }
}
