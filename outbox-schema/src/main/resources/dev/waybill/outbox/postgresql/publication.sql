-- Waybill: what of the database leaves it, PostgreSQL 14 or newer. To be run by the owner of the
-- table, who needs CREATE on the database. The publication is called waybill_<name of the engine>.
--
-- Only INSERTs: updates and deletes stay on the server, and DELETE keeps working on a table without
-- a primary key. Rows of a partitioned outbox are published as the table's own.

CREATE PUBLICATION waybill_${engine} FOR TABLE outbox_event
  WITH (publish = 'insert', publish_via_partition_root = true);
