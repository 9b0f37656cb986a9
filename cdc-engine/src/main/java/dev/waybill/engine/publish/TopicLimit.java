package dev.waybill.engine.publish;

/**
 * How many bytes a record may have, see {@link RecordSize}.
 *
 * @param source what sets it, for people
 */
record TopicLimit(int bytes, String source) {}
