package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata;
import com.github.shyiko.mysql.binlog.event.TableMapEventMetadata.DefaultCharset;
import io.debezium.connector.binlog.charset.BinlogCharsetRegistry;
import io.debezium.connector.mysql.charset.MySqlCharsetRegistry;
import io.debezium.relational.Column;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * In which charsets the log says that the texts of the rows that follow are, by one collation for
 * each text; binary columns count as texts without one.
 */
final class LoggedCharsets {

  private static final BinlogCharsetRegistry CHARSETS = new MySqlCharsetRegistry();

  private LoggedCharsets() {}

  /**
   * How they differ from what is known of the columns.
   *
   * @param texts the columns that hold texts, in order
   * @return null if their bytes are read alike
   */
  static @Nullable String misfit(List<Column> texts, TableMapEventMetadata metadata) {
    List<Integer> collations = collations(texts.size(), metadata);
    for (int i = 0; i < texts.size() && i < collations.size(); i++) {
      Column text = texts.get(i);
      String logged = CHARSETS.getCharsetNameForCollationIndex(collations.get(i));
      if (logged != null
          && text.charsetName() != null
          && !encoding(logged).equals(encoding(text.charsetName()))) {
        return "column " + text.name() + " is in " + logged + ", not in " + text.charsetName();
      }
    }
    return null;
  }

  /** Of a log that is told to be brief, the collation that most have, and the others' own. */
  private static List<Integer> collations(int texts, TableMapEventMetadata metadata) {
    DefaultCharset most = metadata.getDefaultCharset();
    if (most == null) {
      List<Integer> each = metadata.getColumnCharsets();
      return each == null ? List.of() : each;
    }
    Map<Integer, Integer> others = most.getCharsetCollations();
    return IntStream.range(0, texts)
        .map(
            i -> {
              Integer own = others == null ? null : others.get(i);
              return own == null ? most.getDefaultCharsetCollation() : own;
            })
        .boxed()
        .toList();
  }

  /** The same for {@code utf8mb3} and {@code utf8mb4}. */
  private static String encoding(String charset) {
    String encoding = CHARSETS.getJavaEncodingForCharSet(charset);
    return encoding == null ? charset : encoding;
  }
}
