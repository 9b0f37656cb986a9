package dev.waybill.consumer.guard;

import dev.waybill.consumer.TestDatabase;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

class PostgresHandedConnectionTest extends HandedConnectionContract {

  PostgresHandedConnectionTest() {
    super(TestDatabase.POSTGRESQL, "org.postgresql.PGConnection");
  }

  /** Connector/J gives no statement here that could lead back. */
  @Test
  void c62_endingTheTransactionThroughMetadataFailsTheHandlerToo() throws Exception {
    c62_endingTheTransactionFailsTheHandler(
        connection -> {
          try (ResultSet schemas = connection.getMetaData().getSchemas()) {
            schemas.getStatement().getConnection().commit();
          }
        });
  }
}
