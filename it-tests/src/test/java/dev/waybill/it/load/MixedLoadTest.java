package dev.waybill.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.it.world.Servers;
import dev.waybill.it.world.World;
import dev.waybill.servers.DatabaseServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ledger is what the suites believe: it has to know what the database knows. */
class MixedLoadTest {

  /** The servers on which the suites play. */
  enum On {
    POSTGRES {
      @Override
      DatabaseServer shared() {
        return Servers.postgres(Servers.NEWEST);
      }

      @Override
      DatabaseServer own() {
        return Servers.ownPostgres(Servers.NEWEST);
      }
    },

    MYSQL {
      @Override
      DatabaseServer shared() {
        return Servers.mysql();
      }

      @Override
      DatabaseServer own() {
        return Servers.ownMySql();
      }
    };

    abstract DatabaseServer shared();

    abstract DatabaseServer own();
  }

  @ParameterizedTest
  @EnumSource
  void everyKindIsEnteredAsItEnded(On database) throws SQLException {
    try (World world = World.on(database.shared(), Servers.broker())) {
      Ledger ledger = new Ledger();

      MixedLoad.writeAll(world, ledger, "w", 3, 1);

      assertThat(ledger.rolledBack()).isNotEmpty();
      assertLedgerIsRight(world, ledger);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLedgerStaysRightWhenTheDatabaseIsKilled(On database) throws SQLException {
    try (DatabaseServer server = database.own();
        World world = World.on(server, Servers.broker())) {
      Ledger ledger = new Ledger();
      try (MixedLoad load = MixedLoad.start(world, ledger, 2, Duration.ofMillis(2), 7)) {
        for (int kills = 0; kills < 2; kills++) {
          load.awaitMore(200);
          server.kill();
          server.start();
        }
        load.awaitMore(200);
      }

      assertLedgerIsRight(world, ledger);
    }
  }

  private static void assertLedgerIsRight(World world, Ledger ledger) throws SQLException {
    Set<String> rows = rows(world);
    assertThat(ledger.committed().keySet()).as("rows that the ledger lacks").containsAll(rows);
    Set<String> gone = new TreeSet<>(ledger.committed().keySet());
    gone.removeAll(rows);
    // Those that INSERT_THEN_DELETE deleted again: the log alone can tell.
    assertThat(gone).isNotEmpty().hasSizeLessThan(ledger.size() / 2);
    assertThat(rows).as("rolled back").doesNotContainAnyElementsOf(ledger.rolledBack());
    ledger.idsByAggregate().forEach((aggregate, ids) -> assertVersionsRise(ledger, ids));
  }

  private static void assertVersionsRise(Ledger ledger, List<String> ids) {
    List<Long> versions = new ArrayList<>();
    ids.forEach(id -> versions.add(event(ledger, id).version()));
    for (int i = 0; i < versions.size(); i++) {
      assertThat(versions.get(i)).isEqualTo(i + 1);
    }
  }

  private static LoadEvent event(Ledger ledger, String id) {
    LoadEvent event = ledger.committed().get(id);
    if (event == null) {
      throw new AssertionError(id);
    }
    return event;
  }

  private static Set<String> rows(World world) throws SQLException {
    Set<String> ids = new HashSet<>();
    try (Connection connection = world.database().connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT event_id FROM outbox_event")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }
}
