package dev.berth.embedded.rest.select;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.store.Meta;

/** What a list or watch wants of one kind: a namespace (empty: all), labels and fields. */
public record Selection(String namespace, LabelSelector labels, FieldSelector fields, SelectableFields readers) {

    /** A selection by the texts of a request; refuses what cannot be read and fields the kind does not offer. */
    public static Selection of(String namespace, String labels, String fields, SelectableFields readers)
            throws SelectorSyntaxException {
        FieldSelector byField = FieldSelector.parse(fields);
        for (FieldSelector.Term term : byField.terms()) {
            if (!readers.knows(term.field())) {
                throw new SelectorSyntaxException(readers.refusal(term.field()));
            }
        }
        return new Selection(namespace, LabelSelector.parse(labels), byField, readers);
    }

    /** Whether the selection lets everything of its namespace through. */
    public boolean isUnfiltered() {
        return labels.requirements().isEmpty() && fields.terms().isEmpty();
    }

    public boolean matches(ObjectNode object) {
        if (!namespace.isEmpty() && !namespace.equals(Meta.namespace(object))) {
            return false;
        }
        for (FieldSelector.Term term : fields.terms()) {
            if (readers.value(object, term.field()).equals(term.value()) != term.wanted()) {
                return false;
            }
        }
        return labels.requirements().isEmpty() || labels.matches(Meta.labels(object));
    }
}
