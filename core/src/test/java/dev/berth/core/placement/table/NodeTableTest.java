package dev.berth.core.placement.table;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import org.junit.jupiter.api.Test;

/** What is kept by slot is bounded by what nodes name, not by what pods name. */
class NodeTableTest {
    private final Ledger ledger = new Ledger();
    private final NodeTable table = new NodeTable();

    private void load() {
        table.update(0, ledger.nodeAt(0));
    }

    @Test
    void aResourceThatNoNodeNamesGetsNoColumn() {
        ResourceName gpu = new ResourceName("example.com/gpu");
        ledger.put(aNode("n1").with("1 cpu").build());
        load();
        assertThat(table.columnOf(gpu)).isEqualTo(NodeTable.NO_COLUMN);

        ledger.put(aNode("n1").with("1 cpu", "2 example.com/gpu").build());
        load();
        assertThat(table.free(table.columnOf(gpu), 0)).isEqualTo(2);
    }

    @Test
    void aLabelKeyIsKnownAsLongAsSomeNodeCarriesIt() {
        ledger.put(aNode("n1").with("1 cpu").labelled("rack", "a").build());
        load();
        long version = table.labelKeys().version();
        assertThat(table.labelKeys().contains("rack")).isTrue();

        ledger.put(aNode("n1").with("1 cpu").labelled("rack", "b").build());
        load();
        assertThat(table.labelKeys().version()).isEqualTo(version);

        ledger.put(aNode("n1").with("1 cpu").build());
        load();
        assertThat(table.labelKeys().contains("rack")).isFalse();
        assertThat(table.labelKeys().version()).isNotEqualTo(version);
    }
}
