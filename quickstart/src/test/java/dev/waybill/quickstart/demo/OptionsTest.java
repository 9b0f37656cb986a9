package dev.waybill.quickstart.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.quickstart.service.DatabaseKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

  @Test
  void hasDefaults() throws Options.UsageException {
    Options options = Options.parse(List.of());

    assertThat(options.database()).isEqualTo(DatabaseKind.POSTGRESQL);
    assertThat(options.keep()).isFalse();
    assertThat(options.orders()).isEqualTo(7_500);
    assertThat(options.perSecond()).isEqualTo(250);
  }

  @Test
  void takesWhatIsGiven() throws Options.UsageException {
    Options options =
        Options.parse(List.of("--rate", "7", "--keep", "--database", "mysql", "--orders", "30"));

    assertThat(options.database()).isEqualTo(DatabaseKind.MYSQL);
    assertThat(options.keep()).isTrue();
    assertThat(options.orders()).isEqualTo(30);
    assertThat(options.perSecond()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource({
    "--database oracle, There is no demo on 'oracle'",
    "--database,        --database takes a value",
    "--orders 0,        --orders takes a number from 1 on",
    "--orders many,     and not 'many'",
    "--rate -1,         --rate takes a number from 1 on",
    "--fast,            '--fast' is no option of the demo",
  })
  void refusesWhatItCannotFollow(String arguments, String problem) {
    assertThatThrownBy(() -> Options.parse(List.of(arguments.split(" ", -1))))
        .isInstanceOf(Options.UsageException.class)
        .hasMessageContaining(problem);
  }
}
