import { SUBJECT_KIND } from '../funnel';
import { RECORD_ACTIONS } from '../../contacts/contact-activity';

/**
 * Writes a batch of session events in one statement: new events, the last activity of their sessions, rollups, and the
 * activity of their contacts. Sessions and contacts are locked in sorted order to avoid deadlocks; rollups are written
 * to a slot that no other running transaction uses. Returns a row per event, with a null id for repeats.
 */
export const RECORD_EVENTS = `
  WITH input AS MATERIALIZED (
    SELECT *, nextval((SELECT pg_get_serial_sequence('session_events', 'id')::regclass)) AS id
      FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::text[], $5::jsonb[], $6::timestamptz[], $7::text[],
                  $8::timestamptz[], $9::timestamptz[], $10::numeric[])
        WITH ORDINALITY AS g (organization_id, app_id, session_id, event_type, event_data, client_timestamp,
                              client_timezone, received_at, occurred_at, amount, n)
  ), sessions AS MATERIALIZED (
    SELECT * FROM lock_sessions($1::bigint[], $2::bigint[], $3::uuid[])
  ), inserted AS (
    INSERT INTO session_events (organization_id, id, app_id, session_id, event_type, event_data, client_timestamp,
                                client_timezone, received_at, day)
    OVERRIDING SYSTEM VALUE
    SELECT g.organization_id, g.id, g.app_id, g.session_id, g.event_type, g.event_data, g.client_timestamp,
           g.client_timezone, g.received_at, s.day
      FROM input AS g JOIN sessions AS s USING (organization_id, app_id, session_id)
     ORDER BY g.n
    ON CONFLICT (organization_id, session_id, client_timestamp, event_type) WHERE client_timestamp IS NOT NULL
       DO NOTHING
    RETURNING organization_id, id
  ), fresh AS MATERIALIZED (
    SELECT g.* FROM input AS g JOIN inserted USING (organization_id, id)
  ), active AS MATERIALIZED (
    SELECT s.*, f.events, greatest(s.last_activity_at, f.received_at) AS active_at
      FROM sessions AS s
      JOIN (SELECT organization_id, session_id, count(*)::int AS events, max(received_at) AS received_at
              FROM fresh GROUP BY organization_id, session_id) AS f USING (organization_id, session_id)
  ), moved AS MATERIALIZED (
    SELECT a.*
      FROM (SELECT array_agg(organization_id) AS organizations, array_agg(session_id) AS sessions,
                   array_agg(events) AS events, array_agg(active_at) AS active_at FROM active) AS g,
           move_sessions(g.organizations, g.sessions, g.events, g.active_at) AS m
      JOIN active AS a USING (organization_id, session_id)
  ), own AS MATERIALIZED (
    SELECT rollup_slot() AS slot
  ), days AS (
    INSERT INTO session_rollups AS stored (organization_id, app_id, subject_id, day, subject_kind, platform, slot,
                                          sessions, converted, purchased, events, duration_seconds, stages)
    SELECT m.organization_id, m.app_id, subject.id, m.day, subject.kind, m.platform, own.slot, 0, 0, 0, sum(m.events),
           sum(floor(extract(epoch FROM m.active_at - m.started_at))
             - floor(extract(epoch FROM m.last_activity_at - m.started_at))), array_fill(0, ARRAY[8])
      FROM own, moved AS m,
           LATERAL (VALUES (${SUBJECT_KIND.app}, m.app_id), (m.kind, m.tracked_link_id)) AS subject (kind, id)
     WHERE subject.id IS NOT NULL
     GROUP BY m.organization_id, m.app_id, subject.id, m.day, subject.kind, m.platform, own.slot
    ON CONFLICT (organization_id, subject_kind, subject_id, day, app_id, platform, slot) DO UPDATE
       SET events = stored.events + excluded.events,
           duration_seconds = stored.duration_seconds + excluded.duration_seconds
  ), types AS (
    INSERT INTO event_rollups AS stored (organization_id, app_id, day, slot, events, event_type)
    SELECT s.organization_id, s.app_id, s.day, own.slot, count(*), f.event_type
      FROM own, fresh AS f JOIN sessions AS s USING (organization_id, session_id)
     GROUP BY s.organization_id, s.app_id, s.day, own.slot, f.event_type
    ON CONFLICT (organization_id, app_id, day, event_type, slot) DO UPDATE SET events = stored.events + excluded.events
  ), actions AS MATERIALIZED (
    SELECT s.organization_id, s.contact_id, f.event_type AS metric, f.occurred_at AS at, f.amount
      FROM fresh AS f JOIN sessions AS s USING (organization_id, session_id)
     WHERE s.contact_id IS NOT NULL
  ), ${RECORD_ACTIONS}
  SELECT g.n::int - 1 AS index, i.id
    FROM input AS g JOIN sessions AS s USING (organization_id, app_id, session_id)
    LEFT JOIN inserted AS i ON i.organization_id = g.organization_id AND i.id = g.id`;

/** Finds the ids of stored events, for repeats. */
export const FIND_EVENTS = `
  SELECT g.n::int - 1 AS index, e.id
    FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::text[])
      WITH ORDINALITY AS g (organization_id, session_id, client_timestamp, event_type, n)
    JOIN session_events AS e USING (organization_id, session_id, client_timestamp, event_type)
   WHERE e.organization_id = ANY ($1::bigint[])`;
