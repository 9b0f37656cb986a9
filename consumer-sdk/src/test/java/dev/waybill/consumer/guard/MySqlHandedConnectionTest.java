package dev.waybill.consumer.guard;

import dev.waybill.consumer.TestDatabase;

class MySqlHandedConnectionTest extends HandedConnectionContract {

  MySqlHandedConnectionTest() {
    super(TestDatabase.MYSQL, "com.mysql.cj.jdbc.JdbcConnection");
  }
}
