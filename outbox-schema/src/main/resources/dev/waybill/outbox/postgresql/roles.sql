-- Waybill: three roles, none of which may do more than its work, PostgreSQL 14 or newer. To be run
-- after outbox.sql by a superuser (or a role with CREATEROLE and REPLICATION that owns the table).
-- Roles belong to the whole cluster: those that exist already are kept.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_writer') THEN
    CREATE ROLE waybill_writer NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_capture') THEN
    -- No password yet: set one with  \password waybill_capture
    CREATE ROLE waybill_capture LOGIN REPLICATION;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'waybill_janitor') THEN
    CREATE ROLE waybill_janitor NOLOGIN;
  END IF;
END
$$;

-- The application: may append events, neither read nor change them. GRANT waybill_writer TO app;
GRANT INSERT ON outbox_event TO waybill_writer;

-- The engine: may read this table, and the log.
GRANT SELECT ON outbox_event TO waybill_capture;

-- Whoever cleans up: may delete by age, sees no payload. GRANT waybill_janitor TO cleaner;
GRANT SELECT (id, occurred_at), DELETE ON outbox_event TO waybill_janitor;
