-- Waybill: three roles, none of which may do more than its work, MySQL 8.0.17 or newer. To be run
-- after outbox.sql, in its database, by a user with CREATE ROLE, CREATE USER and the privileges that
-- are granted here, with GRANT OPTION. Roles and users belong to the whole server: those that exist
-- already are kept.

CREATE ROLE IF NOT EXISTS waybill_writer, waybill_janitor;

-- Locked until it has a password:
-- ALTER USER waybill_capture IDENTIFIED BY '...' ACCOUNT UNLOCK;
CREATE USER IF NOT EXISTS waybill_capture ACCOUNT LOCK;

-- The application: may append events, neither read nor change them. A role has no effect before it
-- is active: GRANT waybill_writer TO app; ALTER USER app DEFAULT ROLE waybill_writer;
GRANT INSERT ON outbox_event TO waybill_writer;

-- The engine: may read this table, and the log. What the log holds of other tables it can read too;
-- MySQL has no smaller privilege.
GRANT SELECT ON outbox_event TO waybill_capture;
GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO waybill_capture;

-- Whoever cleans up: may delete by age, sees no payload. As with the writer, make it a default role.
GRANT SELECT (id, occurred_at), DELETE ON outbox_event TO waybill_janitor;
