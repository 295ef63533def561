package dev.berth.app.pages.records;

import dev.berth.app.pages.UpPageCluster;

final class RecordsOnUpTest extends RecordsPage {
    RecordsOnUpTest() {
        super(UpPageCluster::new);
    }
}
