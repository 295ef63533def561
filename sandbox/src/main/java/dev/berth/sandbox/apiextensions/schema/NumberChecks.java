package dev.berth.sandbox.apiextensions.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.math.BigDecimal;
import java.util.List;

/** Numbers: minimum, maximum and multipleOf. */
final class NumberChecks {
    private static final BigDecimal LARGEST_INT = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final BigDecimal SMALLEST_INT = BigDecimal.valueOf(Integer.MIN_VALUE);

    private NumberChecks() {}

    static boolean isWhole(JsonNode value) {
        return value.decimalValue().stripTrailingZeros().scale() <= 0;
    }

    static void check(String path, FieldPath field, JsonNode value, StructuralSchema schema, FieldErrorList errors) {
        ValueValidation rules = schema.valueValidation();
        BigDecimal number = value.decimalValue();
        representable(path, value, number, schema, errors);
        rules.multipleOf.ifPresent(factor -> {
            if (factor.signum() > 0 && number.remainder(factor).signum() != 0) {
                errors.invalid(field, value, path + " in body should be a multiple of " + plainText(factor));
            }
        });
        rules.minimum.ifPresent(least -> {
            int order = number.compareTo(least);
            if (order < 0 || (order == 0 && rules.exclusiveMinimum)) {
                String words = rules.exclusiveMinimum ? "greater than " : "greater than or equal to ";
                errors.invalid(field, value, path + " in body should be " + words + plainText(least));
            }
        });
        rules.maximum.ifPresent(most -> {
            int order = number.compareTo(most);
            if (order > 0 || (order == 0 && rules.exclusiveMaximum)) {
                String words = rules.exclusiveMaximum ? "less than " : "less than or equal to ";
                errors.invalid(field, value, path + " in body should be " + words + plainText(most));
            }
        });
    }

    private static void representable(
            String path, JsonNode value, BigDecimal number, StructuralSchema schema, FieldErrorList errors) {
        if (!schema.types().equals(List.of("integer"))) {
            return;
        }
        String format = schema.valueValidation().format;
        boolean small = format.equals("int32");
        boolean outside = small && (number.compareTo(LARGEST_INT) > 0 || number.compareTo(SMALLEST_INT) < 0);
        if (!isWhole(value) || outside) {
            String words = format.isEmpty() ? "(default format)" : "with format " + format;
            errors.invalid(FieldPath.of("<nil>"), "", "Checked value must be of type integer " + words + " in " + path);
        }
    }

    private static String plainText(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
