import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Contacts with their groups, activity, counts and change feed. Personal data is encrypted, and found by blind indexes.
 */
export class Contacts1800000000900 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Ids are assigned before the insert, because encryption binds a value to its row.
    await queryRunner.query(`CREATE SEQUENCE contact_ids`);
    // Terms of one, two and three characters: pg_trgm has trigrams only, and Korean names are searched by one character
    // or two. Hashed with the organization, so that a term matches its own rows only.
    await queryRunner.query(`
      CREATE FUNCTION contact_name_terms(organization bigint, name text) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE STRICT COST 10000 PARALLEL SAFE AS $$
        SELECT array_agg(DISTINCT hashtextextended(substr(name, start, size), organization))
          FROM generate_series(1, 3) AS size, generate_series(1, length(name) - size + 1) AS start
      $$`);
    await queryRunner.query(`
      CREATE FUNCTION contact_tag_terms(organization bigint, tags text[]) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE STRICT COST 1000 PARALLEL SAFE AS $$
        SELECT array_agg(hashtextextended(tag, organization)) FROM unnest(tags) AS tag
      $$`);
    // A contact. Deactivated ones stay, because a person who returns becomes the same contact.
    await queryRunner.query(`
      CREATE TABLE contacts (
        organization_id bigint NOT NULL REFERENCES organizations,
        id bigint NOT NULL, -- from contact_ids: encrypted values are bound to it, so it is known before the insert
        external_user_id text COLLATE "C",
        origin text NOT NULL CHECK (origin IN ('API', 'SDK', 'CSV')),
        name text,
        search_name text COLLATE "C", -- the name, normalized for search
        phone text, -- encrypted, like email and push_identify
        phone_index bytea, -- a blind index, like the others of this type
        phone_last4_index bytea,
        email text,
        email_index bytea,
        email_local_index bytea,
        email_domain_index bytea,
        push_identify text,
        push_token_idx bigint,
        locale text,
        push_opt_in boolean NOT NULL DEFAULT false,
        sms_opt_in boolean NOT NULL DEFAULT false,
        email_opt_in boolean NOT NULL DEFAULT false,
        alimtalk_opt_in boolean NOT NULL DEFAULT false,
        whatsapp_opt_in boolean NOT NULL DEFAULT false,
        push_ad_opt_in boolean NOT NULL DEFAULT false,
        sms_ad_opt_in boolean NOT NULL DEFAULT false,
        email_ad_opt_in boolean NOT NULL DEFAULT false,
        alimtalk_ad_opt_in boolean NOT NULL DEFAULT false,
        night_ad_opt_in boolean NOT NULL DEFAULT false,
        tags text[] NOT NULL DEFAULT '{}',
        custom_fields jsonb NOT NULL DEFAULT '{}',
        blocked boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        deactivated_at timestamptz,
        PRIMARY KEY (organization_id, id)
      );
      CREATE INDEX contacts_consents_idx
        ON contacts (organization_id, origin, push_opt_in, sms_opt_in, email_opt_in, created_at DESC, id DESC)
        WHERE deactivated_at IS NULL;
      CREATE INDEX contacts_email_domain_idx ON contacts (organization_id, email_domain_index)
        WHERE email_domain_index IS NOT NULL AND deactivated_at IS NULL;
      CREATE INDEX contacts_email_idx ON contacts (organization_id, email_index)
        WHERE email_index IS NOT NULL AND deactivated_at IS NULL;
      CREATE INDEX contacts_email_local_idx ON contacts (organization_id, email_local_index)
        WHERE email_local_index IS NOT NULL AND deactivated_at IS NULL;
      CREATE UNIQUE INDEX contacts_external_user_key ON contacts (organization_id, external_user_id)
        WHERE external_user_id IS NOT NULL;
      CREATE INDEX contacts_name_idx
        ON contacts USING gin (contact_name_terms(organization_id, search_name)) WITH (gin_pending_list_limit = 1024)
        WHERE search_name IS NOT NULL AND deactivated_at IS NULL;
      CREATE INDEX contacts_newest_idx ON contacts (organization_id, created_at DESC, id DESC)
        WHERE deactivated_at IS NULL;
      CREATE INDEX contacts_phone_idx ON contacts (organization_id, phone_index)
        WHERE phone_index IS NOT NULL AND deactivated_at IS NULL;
      CREATE INDEX contacts_phone_last4_idx ON contacts (organization_id, phone_last4_index)
        WHERE phone_last4_index IS NOT NULL AND deactivated_at IS NULL;
      CREATE INDEX contacts_tags_idx ON contacts USING gin (contact_tag_terms(organization_id, tags))
        WHERE tags <> '{}' AND deactivated_at IS NULL;
      CREATE INDEX contacts_updated_idx ON contacts (organization_id, updated_at) WHERE deactivated_at IS NULL`);
    // A group of contacts. Each organization has one default group.
    await queryRunner.query(`
      CREATE TABLE contact_groups (
        organization_id bigint NOT NULL REFERENCES organizations,
        id bigint GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        description text,
        is_default boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        CONSTRAINT contact_groups_name_key UNIQUE (organization_id, name),
        PRIMARY KEY (organization_id, id)
      );
      CREATE UNIQUE INDEX contact_groups_default_key ON contact_groups (organization_id) WHERE is_default`);
    // A contact's membership of a group.
    await queryRunner.query(`
      CREATE TABLE contact_group_members (
        organization_id bigint NOT NULL,
        group_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        PRIMARY KEY (organization_id, group_id, contact_id),
        CONSTRAINT contact_group_members_contact_fkey FOREIGN KEY (organization_id, contact_id)
          REFERENCES contacts (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT contact_group_members_group_fkey FOREIGN KEY (organization_id, group_id)
          REFERENCES contact_groups (organization_id, id) ON DELETE CASCADE
      );
      CREATE INDEX contact_group_members_contact_idx
        ON contact_group_members (organization_id, contact_id, group_id)`);
    // The number of active contacts, by the filters of the list, is the sum over the slots, which triggers maintain.
    await queryRunner.query(`
      CREATE TABLE contact_counts (
        organization_id bigint NOT NULL,
        slot integer NOT NULL,
        origin text NOT NULL,
        push_opt_in boolean NOT NULL,
        sms_opt_in boolean NOT NULL,
        email_opt_in boolean NOT NULL,
        contacts bigint NOT NULL,
        PRIMARY KEY (organization_id, slot, origin, push_opt_in, sms_opt_in, email_opt_in)
      ) WITH (fillfactor = 50)`);
    // The number of members of a group is the sum over its slots, which triggers maintain.
    await queryRunner.query(`
      CREATE TABLE contact_group_counts (
        organization_id bigint NOT NULL,
        group_id bigint NOT NULL,
        slot integer NOT NULL, -- concurrent transactions write to different slots
        members bigint NOT NULL,
        PRIMARY KEY (organization_id, group_id, slot)
      ) WITH (fillfactor = 50)`);
    for (const counted of COUNTED) {
      for (const [event, rows] of Object.entries(counted.events)) {
        await queryRunner.query(count(counted, event, rows));
      }
    }
    // The last position of an organization's feed of contacts.
    await queryRunner.query(`
      CREATE TABLE contact_heads (
        organization_id bigint PRIMARY KEY,
        "position" bigint NOT NULL
      ) WITH (fillfactor = 50)`);
    // The latest change of a contact, kept after the contact is deleted.
    await queryRunner.query(`
      CREATE TABLE contact_changes (
        organization_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        "position" bigint NOT NULL,
        external_user_id text COLLATE "C", -- of a deleted contact, kept for 30 days
        erased_at timestamptz,
        PRIMARY KEY (organization_id, contact_id)
      );
      CREATE INDEX contact_changes_erased_idx ON contact_changes (erased_at) WHERE external_user_id IS NOT NULL;
      CREATE UNIQUE INDEX contact_changes_position_key ON contact_changes (organization_id, "position")`);
    // Assigns positions at the commit, with a lock on the head: they become visible in order and without gaps, and
    // writers wait for each other only as long as a commit takes. Key rotations, which do not change updated_at, are
    // left out.
    await queryRunner.query(`
      CREATE FUNCTION contact_changed() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          contact contacts%ROWTYPE := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
          place bigint;
        BEGIN
          INSERT INTO contact_heads AS h (organization_id, position) VALUES (contact.organization_id, 1)
          ON CONFLICT (organization_id) DO UPDATE SET position = h.position + 1
          RETURNING position INTO place;
          INSERT INTO contact_changes (organization_id, contact_id, position, external_user_id, erased_at)
          VALUES (contact.organization_id, contact.id, place,
                  CASE WHEN TG_OP = 'DELETE' THEN contact.external_user_id END,
                  CASE WHEN TG_OP = 'DELETE' THEN contact.updated_at END)
          ON CONFLICT (organization_id, contact_id) DO UPDATE
            SET position = excluded.position, external_user_id = excluded.external_user_id,
                erased_at = excluded.erased_at;
          RETURN NULL;
        END
      $$`);
    await queryRunner.query(`
      CREATE CONSTRAINT TRIGGER contacts_changed AFTER INSERT OR DELETE OR UPDATE OF updated_at ON contacts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION contact_changed();
      CREATE TRIGGER contacts_count_delete AFTER DELETE ON contacts REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION contacts_count_delete();
      CREATE TRIGGER contacts_count_insert AFTER INSERT ON contacts REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION contacts_count_insert();
      CREATE TRIGGER contacts_count_update AFTER UPDATE ON contacts REFERENCING OLD TABLE AS gone NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION contacts_count_update()`);
    await queryRunner.query(`
      CREATE TRIGGER contact_group_members_count_delete AFTER DELETE ON contact_group_members REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION contact_group_members_count_delete();
      CREATE TRIGGER contact_group_members_count_insert AFTER INSERT ON contact_group_members REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION contact_group_members_count_insert();
      CREATE TRIGGER contact_group_members_count_update AFTER UPDATE ON contact_group_members REFERENCING OLD TABLE AS gone NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION contact_group_members_count_update()`);
    // A contact's activity in one metric.
    await queryRunner.query(`
      CREATE TABLE contact_activities (
        organization_id bigint NOT NULL,
        contact_id bigint NOT NULL,
        first_at timestamptz NOT NULL,
        last_at timestamptz NOT NULL,
        count bigint NOT NULL,
        sum numeric(24,4) NOT NULL,
        metric text NOT NULL,
        PRIMARY KEY (organization_id, contact_id, metric)
      )`);
    // A custom metric of an organization, which counts towards its limit.
    await queryRunner.query(`
      CREATE TABLE activity_metrics (
        organization_id bigint NOT NULL,
        metric text NOT NULL,
        PRIMARY KEY (organization_id, metric)
      )`);
    // Returns the metrics that may be recorded: existing ones, and new ones within the limit. Adding one holds a lock
    // until the commit.
    await queryRunner.query(`
      CREATE FUNCTION admit_activity_metrics(organization bigint, wanted text[]) RETURNS SETOF text
        LANGUAGE plpgsql ROWS 5 AS $$
        DECLARE
          allowed integer;
        BEGIN
          IF (SELECT count(*) FROM activity_metrics AS m
               WHERE m.organization_id = organization AND m.metric = ANY (wanted)) < cardinality(wanted)
             AND (SELECT count(*) FROM activity_metrics AS m WHERE m.organization_id = organization)
               < (SELECT o.custom_metric_limit FROM organizations AS o WHERE o.id = organization)
          THEN
              PERFORM pg_advisory_xact_lock(hashtextextended('activity_metrics', organization));
              SELECT o.custom_metric_limit INTO allowed FROM organizations AS o WHERE o.id = organization;
            INSERT INTO activity_metrics (organization_id, metric)
            SELECT organization, w.metric FROM unnest(wanted) AS w (metric)
             WHERE NOT EXISTS (SELECT 1 FROM activity_metrics AS m
                                WHERE m.organization_id = organization AND m.metric = w.metric)
             ORDER BY w.metric
             LIMIT greatest(0, allowed - (SELECT count(*) FROM activity_metrics AS m
                                           WHERE m.organization_id = organization));
          END IF;
          RETURN QUERY SELECT m.metric FROM activity_metrics AS m
                        WHERE m.organization_id = organization AND m.metric = ANY (wanted);
        END
      $$`);
    // Locks contacts one organization at a time, like lock_sessions.
    await queryRunner.query(`
      CREATE FUNCTION lock_members(organizations bigint[], members text[])
        RETURNS TABLE (organization_id bigint, external_user_id text, contact_id bigint)
        LANGUAGE plpgsql ROWS 20 AS $$
        DECLARE
          organization bigint;
          own_members text[];
        BEGIN
          FOR organization, own_members IN
            SELECT o, array_agg(m)
              FROM unnest((SELECT organizations), (SELECT members)) AS u (o, m)
             GROUP BY o ORDER BY o
          LOOP
            RETURN QUERY
              SELECT c.*
                FROM (SELECT DISTINCT m.external_user_id FROM unnest((SELECT own_members)) AS m (external_user_id)
                       ORDER BY m.external_user_id) AS g,
                     LATERAL (SELECT c.organization_id, c.external_user_id, c.id FROM contacts AS c
                               WHERE c.organization_id = organization AND c.external_user_id = g.external_user_id
                                 AND c.deactivated_at IS NULL
                                 FOR KEY SHARE) AS c;
          END LOOP;
        END
      $$`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE activity_metrics, contact_activities, contact_changes, contact_heads,
        contact_group_counts, contact_counts, contact_group_members, contact_groups, contacts;
      DROP FUNCTION lock_members, admit_activity_metrics, contact_changed,
        contact_group_members_count_delete, contact_group_members_count_update,
        contact_group_members_count_insert, contacts_count_delete, contacts_count_update,
        contacts_count_insert, contact_tag_terms, contact_name_terms;
      DROP SEQUENCE contact_ids`);
  }
}

interface Counted {
  table: string;
  counts: string;
  figure: string;
  key: string[];
  /** By trigger event, the change of the count, read from the transition tables. */
  events: Record<string, string>;
}

const contact = (table: string, one: string) =>
  `SELECT organization_id, origin, push_opt_in, sms_opt_in, email_opt_in, ${one} AS n FROM ${table}
    WHERE deactivated_at IS NULL`;
const member = (table: string, one: string) => `SELECT organization_id, group_id, ${one} AS n FROM ${table}`;

const COUNTED: Counted[] = [
  {
    table: 'contacts',
    counts: 'contact_counts',
    figure: 'contacts',
    key: ['origin', 'push_opt_in', 'sms_opt_in', 'email_opt_in'],
    events: {
      insert: contact('added', '+1'),
      update: `${contact('added', '+1')} UNION ALL ${contact('gone', '-1')}`,
      delete: contact('gone', '-1'),
    },
  },
  {
    table: 'contact_group_members',
    counts: 'contact_group_counts',
    figure: 'members',
    key: ['group_id'],
    events: {
      insert: member('added', '+1'),
      update: `${member('added', '+1')} UNION ALL ${member('gone', '-1')}`,
      delete: member('gone', '-1'),
    },
  },
];

/** A statement trigger's function. It reads the transition tables first, as Citus requires. */
function count({ table, counts, figure, key }: Counted, event: string, rows: string): string {
  const columns = key.join(', ');
  return `
    CREATE FUNCTION ${table}_count_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        own_slot integer;
        changes record;
      BEGIN
        FOR changes IN
          SELECT organization_id, ${key.map((column) => `array_agg(${column}) AS ${column}`).join(', ')}, array_agg(n) AS n
            FROM (SELECT organization_id, ${columns}, sum(n) AS n FROM (${rows}) AS r
                   GROUP BY organization_id, ${columns} HAVING sum(n) <> 0) AS changed
           GROUP BY organization_id
        LOOP
          own_slot := contact_count_slot();
          INSERT INTO ${counts} AS known (organization_id, slot, ${columns}, ${figure})
          SELECT changes.organization_id, own_slot, changed.*
            FROM unnest(${[...key, 'n'].map((column) => `changes.${column}`).join(', ')}) AS changed
          ON CONFLICT (organization_id, slot, ${columns}) DO UPDATE
            SET ${figure} = known.${figure} + excluded.${figure};
        END LOOP;
        RETURN NULL;
      END $$`;
}
