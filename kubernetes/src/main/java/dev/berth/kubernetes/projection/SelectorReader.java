package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Requirement.Operator;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.interning.LabelsInterner;
import java.util.ArrayList;
import java.util.List;

/** Reads the expressions of selectors; those of nodes and of labels have the same form. */
public final class SelectorReader {
    private static final FieldNames FIELDS =
            FieldNames.none().with(1, "key").with(2, "operator").with(3, "values");
    private static final FieldNames SELECTOR =
            FieldNames.none().withMap(1, "matchLabels").with(2, "matchExpressions");

    private SelectorReader() {}

    /** The cursor is at a field that is one expression. */
    public static Requirement readRequirement(Cursor in) {
        String key = "";
        String operator = "";
        List<String> values = new ArrayList<>();
        in.enter();
        for (int field = in.nextField(FIELDS); field != 0; field = in.nextField(FIELDS)) {
            switch (field) {
                case 1 -> key = in.text();
                case 2 -> operator = in.text();
                case 3 -> values.add(in.text());
                default -> in.skip();
            }
        }
        in.leave();
        return new Requirement(key, parseOperator(operator), values);
    }

    /** The cursor is at a field that is a selector of labels. */
    public static LabelSelector readLabelSelector(Cursor in, LabelsInterner labels) {
        List<Requirement> requirements = new ArrayList<>();
        labels.begin();
        in.enter();
        for (int field = in.nextField(SELECTOR); field != 0; field = in.nextField(SELECTOR)) {
            switch (field) {
                case 1 -> labels.add(in.mapKey(), in.mapValueText());
                case 2 -> requirements.add(readRequirement(in));
                default -> in.skip();
            }
        }
        in.leave();
        return new LabelSelector(labels.intern(), requirements);
    }

    public static Operator parseOperator(String word) {
        return Operator.find(word)
                .orElseThrow(() ->
                        new MalformedObjectException("operator (%s) must be In, NotIn, Exists, DoesNotExist, Gt or Lt"
                                .formatted(ForeignText.quote(word))));
    }
}
