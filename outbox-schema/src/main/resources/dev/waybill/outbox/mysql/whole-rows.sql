-- Waybill: no row without its log, MySQL 8.0.17 or newer. To be run after outbox.sql, by a user with
-- TRIGGER on the table, and with SUPER unless log_bin_trust_function_creators is ON.
--
-- A session with enough privileges may log statements instead of rows, a part of the columns, or
-- nothing at all, whatever the server's settings are. Its rows would be in the table and never
-- become events. This trigger refuses them. Row-based replicas do not run it.

DELIMITER $$
CREATE TRIGGER outbox_event_whole_rows BEFORE INSERT ON outbox_event FOR EACH ROW
IF @@SESSION.binlog_format <> 'ROW'
    OR @@SESSION.binlog_row_image <> 'FULL'
    OR NOT @@SESSION.sql_log_bin THEN
  SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'This session does not log whole rows: set binlog_format = ROW, binlog_row_image = FULL, sql_log_bin = ON';
END IF$$
DELIMITER ;
