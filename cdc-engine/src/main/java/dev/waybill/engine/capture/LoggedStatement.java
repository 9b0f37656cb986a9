package dev.waybill.engine.capture;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement in the binary log, where with the format ROW only those stand that change no rows.
 *
 * @param database in which it was executed
 */
record LoggedStatement(String sql, String database) {

  /** Blanks, and comments of all three kinds. */
  private static final String GAP = "(?:\\s++|/\\*.*?\\*/|--(?:[ \\t\\r][^\\n]*)?\\n|#[^\\n]*\\n)+";

  /** Quoted as usual, quoted as with the mode ANSI_QUOTES, or bare. */
  private static final String NAME = "(`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|[^\\s`\".(;/]+)";

  private static final String TABLE = "(?:" + NAME + "\\s*\\.\\s*)?" + NAME;

  private static final Pattern ROWS =
      pattern("(?:INSERT|REPLACE|UPDATE|DELETE|WITH|CALL|LOAD)\\b.*");

  private static final Pattern INSERT =
      pattern(
          "(?:INSERT|REPLACE)"
              + GAP
              + "(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE)"
              + GAP
              + ")*(?:INTO"
              + GAP
              + ")?"
              + TABLE
              + ".*");

  private static final String MISSING = "IF" + GAP + "NOT" + GAP + "EXISTS" + GAP;

  private static final Pattern DEFINITION =
      pattern("(?:ALTER|CREATE)" + GAP + "TABLE" + GAP + "(?:" + MISSING + ")?" + TABLE + ".*");

  private static final Pattern CREATION_IF_MISSING =
      pattern("CREATE" + GAP + "TABLE" + GAP + MISSING + TABLE + ".*");

  private static final Pattern RENAMING = pattern("RENAME" + GAP + "TABLES?" + GAP + ".*");

  private static Pattern pattern(String statement) {
    return Pattern.compile(
        "(?:" + GAP + ")?" + statement, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }

  boolean begins() {
    return is("BEGIN") || startsWith("XA START") || startsWith("XA BEGIN");
  }

  boolean isXa() {
    return startsWith("XA ");
  }

  boolean ends() {
    return is("COMMIT") || is("ROLLBACK");
  }

  private boolean is(String word) {
    return sql.strip().equalsIgnoreCase(word);
  }

  private boolean startsWith(String words) {
    return sql.strip().toUpperCase(Locale.ROOT).startsWith(words);
  }

  /** Whether rows were changed by it that are not in the log. */
  boolean changesRows() {
    return ROWS.matcher(sql).matches();
  }

  boolean insertsInto(TableName table) {
    return names(INSERT, table);
  }

  /** Whether it gives a table its columns, or its name. */
  boolean defines(TableName table) {
    return names(DEFINITION, table)
        || (RENAMING.matcher(sql).matches()
            && sql.toLowerCase(Locale.ROOT).contains(table.name().toLowerCase(Locale.ROOT)));
  }

  /** Whether it does nothing if the table is there. */
  boolean createsIfMissing(TableName table) {
    return names(CREATION_IF_MISSING, table);
  }

  private boolean names(Pattern pattern, TableName table) {
    Matcher matcher = pattern.matcher(sql);
    if (!matcher.matches()) {
      return false;
    }
    String schema = matcher.group(1) == null ? database : unquoted(matcher.group(1));
    return table.schema().equalsIgnoreCase(schema)
        && table.name().equalsIgnoreCase(unquoted(matcher.group(2)));
  }

  private static String unquoted(String name) {
    String quote = name.substring(0, 1);
    return quote.equals("`") || quote.equals("\"")
        ? name.substring(1, name.length() - 1).replace(quote + quote, quote)
        : name;
  }
}
