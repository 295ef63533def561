package dev.berth.sandbox.validation.workload;

import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The five fields that say when a job comes again. */
final class CronScheduleChecks {
    private static final Set<String> WORDS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final String NUMBER = "(\\*|\\?|[0-9]{1,2}|[A-Za-z]{3})";
    private static final Pattern PART = Pattern.compile(NUMBER + "(-" + NUMBER + ")?(/[0-9]{1,3})?");

    private CronScheduleChecks() {}

    static void check(String schedule, FieldPath path, FieldErrorList errors) {
        if (schedule.contains("TZ")) {
            errors.invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            return;
        }
        if (WORDS.contains(schedule) || schedule.startsWith("@every ")) {
            return;
        }
        List<String> fields = List.of(schedule.strip().split("\\s+"));
        if (fields.size() != 5) {
            errors.invalid(
                    path,
                    schedule,
                    "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]");
            return;
        }
        for (String field : fields) {
            for (String part : field.split(",", -1)) {
                if (!PART.matcher(part).matches()) {
                    errors.invalid(path, schedule, "failed to parse \"" + part + "\" of the schedule");
                }
            }
        }
    }
}
