package dev.berth.app.operation;

import dev.berth.http.operation.Check;
import dev.berth.http.operation.Check.Finding;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Whether all kinds are still being read. One that is not stays in the ledger as it was, however much changes. */
record WatchCheck(Supplier<List<WatchHealth.State>> watches) implements Check.Question {
    @Override
    public Finding ask() {
        List<WatchHealth.State> now = watches.get();
        String failing = now.stream()
                .filter(WatchHealth.State::failing)
                .map(kind -> "%s failed %d times in a row: %s".formatted(kind.kind(), kind.inRow(), kind.error()))
                .collect(Collectors.joining("; "));
        if (!failing.isEmpty()) {
            return Finding.ill(failing);
        }
        String unreadable = now.stream()
                .filter(kind -> kind.unreadable() > 0)
                .map(kind -> "%d of %s".formatted(kind.unreadable(), kind.kind()))
                .collect(Collectors.joining(", "));
        return Finding.well(unreadable.isEmpty() ? "" : "objects that cannot be read: " + unreadable);
    }
}
